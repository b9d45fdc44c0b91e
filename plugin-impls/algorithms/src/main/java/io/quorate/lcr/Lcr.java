package io.quorate.lcr;

import io.quorate.lcr.LcrMessage.Attempt;
import io.quorate.lcr.LcrMessage.Probe;
import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
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
 * docs/algorithms/lcr.md#faithful), then those of the hardened one (H, docs/algorithms/lcr.md#hardened). {@code Kn} is
 * a rule of docs/algorithms/common.md#hardening-rules; decisions stand in docs/algorithms/lcr.md#quirks.
 */
final class Lcr implements Election {

    private static final String TR = "TR";
    private static final String HB = "HB";
    private static final int NOBODY = -1;

    private final Membership membership;
    private final int self;
    private final Timing timing;
    private final Options options;
    private final LcrRules rules;
    private final boolean hardened;
    private final boolean persistent;                                    // option P, which F does not have

    private long term;                                                   // K2: the highest term in any message
    private Mark seen = Mark.NONE;                                     // K2: the last accepted victory
    private int leader = NOBODY;
    private boolean participating;                                       // part; in H, TR is pending exactly then
    private Attempt attempt = Attempt.NONE;                              // K5: seq = (inc, k)
    private SortedSet<Integer> suspects = Collections.emptySortedSet();  // S; never changed in place

    private List<Effect> effects = new ArrayList<>();                    // of the event being handled

    Lcr(Membership membership, Timing timing, Options options, LcrRules rules) {
        this.membership = membership;
        this.self = membership.self();
        this.timing = timing;
        this.options = options;
        this.rules = rules;
        this.hardened = options.variant() == Variant.HARDENED;
        this.persistent = hardened && options.persistence();
    }

    /** N delta each until the highest has joined, for its PROBE, for its SELECTED; one more, or it would be a tie. */
    static long retryTimeout(Timing timing, int size) {
        return timing.deltas(3 * size + 1);
    }

    @Override
    public List<Effect> on(long now, Event event) {
        effects = new ArrayList<>();
        if (event instanceof Event.Start start && persistent && !start.saved().isEmpty()) {
            restore(snapshot().withSaved(start.saved()));                // K7
        }
        LcrState.Victory before = snapshot().victory();
        if (hardened) {
            onHardened(event);
            recheck();
        } else {
            onFaithful(event);
        }
        if (persistent && !snapshot().victory().equals(before)) {
            effects.add(0, new Effect.Save(snapshot().saved()));         // K7: before any message that shows it
        }
        checkInvariants();
        return effects;
    }

    // ---------------------------------------------------------------- F, docs/algorithms/lcr.md#faithful

    private void onFaithful(Event event) {
        if (event instanceof Event.Start start) {
            leader = start.initialLeader().orElse(NOBODY);
            if (leader == NOBODY) {
                initiateFaithful();
            }
        } else if (event instanceof Event.Received received && makesSense(received)) {
            if (received.message() instanceof Probe probe) {
                onProbeFaithful(probe);
            } else {
                onSelectedFaithful((Selected) received.message());
            }
        } else if (event instanceof Event.Suspected suspected && isOther(suspected.process())) {
            setSuspected(suspected.process(), true);
            if (suspected.process() == leader) {
                initiateFaithful();
            }
        } else if (event instanceof Event.Trusted trusted) {
            setSuspected(trusted.process(), false);
        }
    }

    private void initiateFaithful() {
        if (!participating) {
            participating = true;
            sendNext(new Probe(self, Attempt.NONE, 0, 0));
        }
    }

    private void onProbeFaithful(Probe probe) {
        if (!participating && probe.id() != self) {                      // decision 1
            if (rules.join() == LcrRules.Join.START) {
                initiateFaithful();
            }
            participating = true;
        }
        if (probe.id() > self) {
            sendNext(probe);
        } else if (probe.id() == self) {                                 // decision 4: still participating
            leader = self;
            sendNext(new Selected(self, 0, 0, 0));
            effects.add(new Effect.Nominate(self, seen));
        }
    }

    private void onSelectedFaithful(Selected selected) {
        participating = false;
        if (selected.id() != self) {
            leader = selected.id();
            effects.add(new Effect.Nominate(leader, seen));
            sendNext(selected);
        } else if (rules.resend003()) {                                  // decision 2
            sendNext(selected);
        }
    }

    // ---------------------------------------------------------------- H, docs/algorithms/lcr.md#hardened

    private void onHardened(Event event) {
        if (event instanceof Event.Start start) {
            onStart(start);
        } else if (event instanceof Event.Received received && makesSense(received)) {
            term = Math.max(term, ((LcrMessage) received.message()).highestTerm());  // K2
            if (received.message() instanceof Probe probe) {
                onProbe(probe);
            } else {
                onSelected((Selected) received.message());
            }
        } else if (event instanceof Event.TimerFired fired) {
            onTimer(fired.timer());
        } else if (event instanceof Event.Suspected suspected && isOther(suspected.process())) {
            setSuspected(suspected.process(), true);
            if (participating) {
                initiateAnew();                                          // the PROBE may have died with the process
            }
        } else if (event instanceof Event.Trusted trusted) {
            setSuspected(trusted.process(), false);
        }
    }

    private void onStart(Event.Start start) {
        attempt = new Attempt(start.incarnation(), 0);                   // K5
        if (start.initialLeader().isPresent()) {
            leader = start.initialLeader().getAsInt();
            Check.state(isProcess(leader), "initial leader %d: does not contend", leader);
            seen = new Mark(term, leader, 0);
        }
        set(HB, timing.deltas(size()));
    }

    private void initiate() {
        if (!participating) {
            initiateAnew();
        }
    }

    private void initiateAnew() {
        if (leader == self) {
            dropLeader();
        }
        participating = true;
        attempt = new Attempt(attempt.incarnation(), attempt.number() + 1);
        sendNext(new Probe(self, attempt, term, 1));
        set(TR, retryTimeout(timing, size()));
    }

    private void onProbe(Probe probe) {
        if (probe.id() == self) {
            if (participating && probe.attempt().equals(attempt)) {      // K5: not one of a former attempt or life
                win();
            }
        } else if (suspects.contains(probe.id()) || probe.hops() >= size()) {
            return;                                                      // an orphan: only its owner stops it
        } else if (probe.id() < self) {
            if (leader == self) {
                repeatVictory();                                         // no new election for somebody who missed it
            } else {
                initiate();                                              // decision 1; the other's PROBE ends here
            }
        } else {
            if (leader == self) {
                dropLeader();
            }
            if (!participating) {                                        // Chang and Roberts: without an own PROBE
                participating = true;
                set(TR, retryTimeout(timing, size()));                   // K4
            }
            sendNext(new Probe(probe.id(), probe.attempt(), term, probe.hops() + 1));
        }
    }

    private void win() {
        if (!isViable()) {                                               // K6
            set(TR, retryTimeout(timing, size()));
            return;
        }
        endParticipation();                                              // decision 4: Participating is kept
        leader = self;
        raise();
        sendNext(new Selected(self, seen.term(), term, 1));
    }

    /** The leader says that it is (K3), with a higher term if it has seen one since it won (K2). */
    private void repeatVictory() {
        if (term > seen.term()) {
            raise();
        }
        sendNext(new Selected(self, seen.term(), term, 1));
    }

    private void raise() {                                               // K2
        term += 1;
        seen = new Mark(term, self, 0);
        effects.add(new Effect.Nominate(self, seen));
    }

    private void onSelected(Selected selected) {
        int id = selected.id();
        if (id == self) {                                                // one circulation done
            if (leader == self && term > seen.term()) {
                repeatVictory();                                         // somebody has seen a later victory than ours
            }
        } else if (suspects.contains(id) || selected.hops() >= size()) {
            return;                                                      // an orphan: only its owner stops it
        } else if (id < self) {
            onSelectedOfLower(new Mark(selected.term(), id, 0));
        } else {
            onSelectedOfHigher(new Mark(selected.term(), id, 0));
            sendNext(new Selected(id, selected.term(), term, selected.hops() + 1));
        }
    }

    private void onSelectedOfLower(Mark victory) {
        if (leader == self && victory.compareTo(seen) > 0) {
            repeatVictory();                                             // its followers need a higher term from us
        } else if (leader < self) {                                      // or NOBODY
            initiate();
        }
    }

    private void onSelectedOfHigher(Mark victory) {
        if (victory.compareTo(seen) < 0) {
            term = Math.max(term, seen.term() + 1);                      // K2: not adopted; its owner will learn why
            return;
        }
        boolean changed = leader != victory.process() || !victory.equals(seen);
        leader = victory.process();
        seen = victory;
        endParticipation();
        if (changed) {
            effects.add(new Effect.Nominate(leader, seen));
        }
    }

    private void onTimer(String timer) {
        if (timer.equals(HB)) {
            if (leader == self) {
                repeatVictory();                                         // K3
            }
            set(HB, timing.deltas(size()));
        } else {
            Check.state(timer.equals(TR), "timer %s: was never set", timer);
            Check.state(participating, "timer TR ran out in no election");
            initiateAnew();                                              // K4
        }
    }

    /** K1: looks at the state after every event, so that no order of events can leave a dead leader behind. */
    private void recheck() {
        if (suspects.contains(leader) || leader == self && !isViable()) {
            dropLeader();
        }
        if (leader == NOBODY) {
            initiate();
        }
    }

    private void dropLeader() {
        leader = NOBODY;
        effects.add(new Effect.NoNominee());
    }

    private boolean isViable() {                                         // K6
        return !options.quorumGuard() || 2 * (size() - suspects.size()) > size();
    }

    private void endParticipation() {
        if (participating) {
            participating = false;
            effects.add(new Effect.CancelTimer(TR));
        }
    }

    // ---------------------------------------------------------------- effects, questions, state

    private int size() {
        return membership.contenders();
    }

    private boolean isProcess(int number) {
        return 0 <= number && number < size();
    }

    private boolean isOther(int process) {
        return isProcess(process) && process != self;
    }

    /** A message of another algorithm, from nobody or about nobody is void. */
    private boolean makesSense(Event.Received received) {
        return isProcess(received.from()) && received.message() instanceof LcrMessage ours && isProcess(ours.id());
    }

    /** next(): the first process after this one in the ring that is not suspected; this one if there is none. */
    private void sendNext(LcrMessage message) {
        int place = membership.ring().indexOf(self);
        int next;
        do {
            place = (place + 1) % size();
            next = membership.ring().get(place);
        } while (suspects.contains(next));
        effects.add(new Effect.Send(next, message));
    }

    private void set(String timer, long delay) {
        effects.add(new Effect.SetTimer(timer, delay));
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
            Check.state(leader != self || !participating, "Participating: leader %d is in an election", leader);
            Check.state(leader != NOBODY || participating, "K1: no leader and no election");
            Check.state(!suspects.contains(leader), "K1: leader %d is suspected", leader);
        }
    }

    @Override
    public OptionalInt leader() {
        return leader == NOBODY ? OptionalInt.empty() : OptionalInt.of(leader);
    }

    @Override
    public boolean isParticipating() {
        return participating;
    }

    @Override
    public LcrState snapshot() {
        return new LcrState(new LcrState.Victory(term, seen), leader, participating, attempt, suspects);
    }

    @Override
    public void restore(State state) {
        LcrState snapshot = (LcrState) state;
        term = snapshot.victory().term();
        seen = snapshot.victory().seen();
        leader = snapshot.leader();
        participating = snapshot.participating();
        attempt = snapshot.attempt();
        suspects = snapshot.suspects();
    }
}
