package io.quorate.bully;

import io.quorate.bully.BullyMessage.Alive;
import io.quorate.bully.BullyMessage.Victory;
import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Mark;
import io.quorate.spi.Variant;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The machine of one process: first what both variants share, then the handlers of the faithful variant (F,
 * docs/algorithms/bully.md#faithful), then those of the hardened one (H, docs/algorithms/bully.md#hardened).
 * {@code rule n} is a rule of source 001, {@code Kn} a rule of docs/algorithms/common.md#hardening-rules.
 */
final class Bully implements Election {

    private static final String T = "T";
    private static final String T2 = "T2";
    private static final String HB = "HB";
    private static final int NOBODY = -1;

    /** What this process waits for; anything but IDLE means that it participates. */
    enum Phase { IDLE, WAIT_ALIVE, WAIT_VICTORY }

    private final Membership membership;
    private final int self;
    private final Timing timing;
    private final Options options;
    private final boolean hardened;
    private final boolean persistent;                                    // option P, which F does not have

    private long term;                                                   // K2: the highest term in any message
    private Mark seen = Mark.NONE;                                     // K2: the last accepted victory
    private int leader = NOBODY;
    private Phase phase = Phase.IDLE;
    private SortedSet<Integer> suspects = Collections.emptySortedSet();  // S; never changed in place

    private List<Effect> effects = new ArrayList<>();                    // of the event being handled

    Bully(Membership membership, Timing timing, Options options) {
        this.membership = membership;
        this.self = membership.self();
        this.timing = timing;
        this.options = options;
        this.hardened = options.variant() == Variant.HARDENED;
        this.persistent = hardened && options.persistence();
    }

    /** T: an ALIVE comes back within 2 delta; half a delta more, because equality would be a tie. Rounded up. */
    static long aliveTimeout(Timing timing) {
        return (timing.deltas(5) + 1) / 2;
    }

    /** T2: from the first ALIVE, T of the highest live process plus one delta each for ELECTION and VICTORY. */
    static long victoryTimeout(Timing timing) {
        return timing.deltas(5);
    }

    /** HB: how often a leader repeats its VICTORY. */
    private static long repetition(Timing timing) {
        return timing.deltas(2);
    }

    @Override
    public List<Effect> on(long now, Event event) {
        effects = new ArrayList<>();
        if (event instanceof Event.Start start && persistent && !start.saved().isEmpty()) {
            restore(snapshot().withSaved(start.saved()));                // K7
        }
        long termBefore = term;
        Mark seenBefore = seen;
        if (hardened) {
            onHardened(event);
            recheck();
        } else {
            onFaithful(event);
        }
        if (persistent && (term != termBefore || !seen.equals(seenBefore))) {
            effects.add(0, new Effect.Save(snapshot().saved()));         // K7: before any message that shows it
        }
        checkInvariants();
        return effects;
    }

    // ---------------------------------------------------------------- both variants

    private void elect() {
        if (phase != Phase.IDLE) {
            return;
        }
        if (self == highest()) {                                         // rule 1: highest of all, not of the live
            win();
            return;
        }
        Check.state(!hardened || leader != self, "process %d leads and starts an election", self);
        for (int higher = self + 1; higher <= highest(); higher++) {     // rule 1; suspected ones included
            send(higher, new BullyMessage.Election(term));
        }
        phase = Phase.WAIT_ALIVE;
        set(T, aliveTimeout(timing));
    }

    private void win() {
        cancelWaiting();
        if (hardened && !isViable()) {                                   // K6
            waitForVictory();
            return;
        }
        leader = self;
        if (hardened) {                                                  // K2
            term += 1;
            seen = new Mark(term, self, 0);
        }
        sendToAll(new Victory(seen.term()));                             // rules 1 and 2
        effects.add(new Effect.Nominate(self, seen));
    }

    private void onAlive(int from) {
        // A second ALIVE changes nothing: restarting the timer would let a slow peer put off the retry.
        if (from > self && phase == Phase.WAIT_ALIVE) {                  // rule 3
            cancelWaiting();
            waitForVictory();
        }
    }

    private void onTimerOfElection(String timer) {
        Phase awaited = timer.equals(T) ? Phase.WAIT_ALIVE : Phase.WAIT_VICTORY;
        Check.state(timer.equals(T) || timer.equals(T2), "timer %s: was never set", timer);
        Check.state(phase == awaited, "timer %s ran out in phase %s", timer, phase);
        phase = Phase.IDLE;                                              // it is not pending any more
        if (timer.equals(T)) {
            win();                                                       // rule 2
        } else {
            elect();                                                     // rule 3, K4
        }
    }

    private void waitForVictory() {
        phase = Phase.WAIT_VICTORY;
        set(T2, victoryTimeout(timing));
    }

    // ---------------------------------------------------------------- F, docs/algorithms/bully.md#faithful

    private void onFaithful(Event event) {
        if (event instanceof Event.Start start) {
            leader = start.initialLeader().orElse(NOBODY);
            if (leader == NOBODY) {
                elect();
            }
        } else if (event instanceof Event.Received received && isOther(received.from())) {
            onMessageFaithful(received.from(), received.message());
        } else if (event instanceof Event.TimerFired fired) {
            onTimerOfElection(fired.timer());
        } else if (event instanceof Event.Suspected suspected && isOther(suspected.process())) {
            setSuspected(suspected.process(), true);
            if (suspected.process() == leader) {
                elect();
            }
        } else if (event instanceof Event.Trusted trusted) {
            setSuspected(trusted.process(), false);
        }
    }

    private void onMessageFaithful(int from, Message message) {
        if (message instanceof BullyMessage.Election) {                  // rule 4
            send(from, new Alive(term));
            elect();
        } else if (message instanceof Alive) {
            onAlive(from);
        } else if (message instanceof Victory) {                         // rule 5
            cancelWaiting();
            leader = from;
            effects.add(new Effect.Nominate(from, seen));
        }
    }

    // ---------------------------------------------------------------- H, docs/algorithms/bully.md#hardened

    private void onHardened(Event event) {
        if (event instanceof Event.Start start) {
            onStart(start.initialLeader());
        } else if (event instanceof Event.Received received && isOther(received.from())) {
            onMessage(received.from(), received.message());
        } else if (event instanceof Event.TimerFired fired) {
            if (fired.timer().equals(HB)) {
                onHeartbeat();
            } else {
                onTimerOfElection(fired.timer());
            }
        } else if (event instanceof Event.Suspected suspected && isOther(suspected.process())) {
            setSuspected(suspected.process(), true);
        } else if (event instanceof Event.Trusted trusted) {
            setSuspected(trusted.process(), false);
        }
    }

    private void onStart(OptionalInt initialLeader) {
        if (initialLeader.isPresent()) {
            leader = initialLeader.getAsInt();
            Check.state(0 <= leader && leader <= highest(), "initial leader %d: does not contend", leader);
            seen = new Mark(term, leader, 0);
        }
        set(HB, repetition(timing));
    }

    private void onMessage(int from, Message message) {
        if (message instanceof BullyMessage ours) {
            term = Math.max(term, ours.term());                          // K2
        }
        if (message instanceof BullyMessage.Election call && from < self) {
            onElection(from, call.term());
        } else if (message instanceof Alive) {
            onAlive(from);
        } else if (message instanceof Victory victory && from < self) {
            onVictoryOfLower(from, victory.term());
        } else if (message instanceof Victory victory) {
            onVictoryOfHigher(from, victory.term());
        }
    }

    private void onElection(int from, long callTerm) {
        send(from, new Alive(term));                                     // rule 4
        if (leader != self) {
            elect();
        } else if (callTerm > seen.term()) {
            win();                                                       // K2: it has seen a later victory than ours
        } else {
            send(from, new Victory(seen.term()));                        // no new election for somebody who missed it
        }
    }

    private void onVictoryOfLower(int from, long victoryTerm) {
        if (leader == self && new Mark(victoryTerm, from, 0).compareTo(seen) > 0) {
            win();                                                       // K2: above its followers' mark as well
        } else if (leader == self) {
            send(from, new Victory(seen.term()));
        }
        // Without a leader here an election is running. If we follow somebody, his repetition deposes the sender.
    }

    private void onVictoryOfHigher(int from, long victoryTerm) {
        Mark victory = new Mark(victoryTerm, from, 0);
        if (suspects.contains(from)) {
            return;                                                      // K1 would depose it at once
        }
        if (victory.compareTo(seen) < 0 && leader > from) {
            // D1, an addition: we follow a higher leader, whose repetition deposes the sender. To nudge the sender as
            // well would let the two outbid each other without end while they cannot hear each other.
            return;
        }
        if (victory.compareTo(seen) < 0) {
            term = Math.max(term, seen.term() + 1);                      // K2: not seen.term, or it never ends
            send(from, new BullyMessage.Election(term));
            return;
        }
        boolean changed = leader != from || !victory.equals(seen);
        cancelWaiting();
        leader = from;
        seen = victory;
        if (changed) {
            effects.add(new Effect.Nominate(from, seen));
        }
    }

    private void onHeartbeat() {
        if (leader == self) {
            sendToAll(new Victory(seen.term()));                         // K3
        }
        set(HB, repetition(timing));
    }

    /** K1: looks at the state after every event, so that no order of events can leave a dead leader behind. */
    private void recheck() {
        if (suspects.contains(leader) || leader == self && !isViable()) {
            leader = NOBODY;
            effects.add(new Effect.NoNominee());
        }
        if (leader == NOBODY) {
            elect();
        }
    }

    private boolean isViable() {                                         // K6
        int processes = membership.contenders();
        return !options.quorumGuard() || 2 * (processes - suspects.size()) > processes;
    }

    // ---------------------------------------------------------------- effects, questions, state

    private int highest() {
        return membership.contenders() - 1;
    }

    /** Whether the number is one of another process; a message or suspicion that names any other number is void. */
    private boolean isOther(int process) {
        return 0 <= process && process <= highest() && process != self;
    }

    private void send(int to, Message message) {
        effects.add(new Effect.Send(to, message));
    }

    private void sendToAll(Message message) {
        for (int process = 0; process <= highest(); process++) {
            if (process != self) {
                send(process, message);
            }
        }
    }

    private void set(String timer, long delay) {
        effects.add(new Effect.SetTimer(timer, delay));
    }

    /** Ends the waiting phase and its timer: T is pending in WAIT_ALIVE only, T2 in WAIT_VICTORY only. */
    private void cancelWaiting() {
        if (phase != Phase.IDLE) {
            effects.add(new Effect.CancelTimer(phase == Phase.WAIT_ALIVE ? T : T2));
            phase = Phase.IDLE;
        }
    }

    private void setSuspected(int process, boolean suspected) {
        SortedSet<Integer> changed = new TreeSet<>(suspects);
        if (suspected ? changed.add(process) : changed.remove(process)) {
            suspects = Collections.unmodifiableSortedSet(changed);
        }
    }

    private void checkInvariants() {
        Check.state(term >= seen.term(), "term %d is below the accepted %s", term, seen);
        Check.state(!suspects.contains(self), "process %d suspects itself", self);
        if (hardened) {
            Check.state(leader == NOBODY || leader == seen.process(), "leader %d has no victory, %s has", leader, seen);
            Check.state(leader != self || phase == Phase.IDLE, "Participating: leader %d is in %s", leader, phase);
            Check.state(leader != NOBODY || phase != Phase.IDLE, "K1: no leader and no election");
            Check.state(!suspects.contains(leader), "K1: leader %d is suspected", leader);
        }
    }

    @Override
    public OptionalInt leader() {
        return leader == NOBODY ? OptionalInt.empty() : OptionalInt.of(leader);
    }

    @Override
    public boolean isParticipating() {
        return phase != Phase.IDLE;
    }

    @Override
    public BullyState snapshot() {
        return new BullyState(term, seen, leader, phase, suspects);
    }

    @Override
    public void restore(State state) {
        BullyState snapshot = (BullyState) state;
        term = snapshot.term();
        seen = snapshot.seen();
        leader = snapshot.leader();
        phase = snapshot.phase();
        suspects = snapshot.suspects();
    }
}
