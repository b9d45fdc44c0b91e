package io.quorate.tokenring;

import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.tokenring.TokenRingMessage.Attempt;
import io.quorate.tokenring.TokenRingMessage.Coordinator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The machine of one process: the handlers of the faithful variant (F, docs/algorithms/token-ring.md#faithful), then
 * those of the hardened one (H, docs/algorithms/token-ring.md#hardened), then what both share. {@code Kn} is a rule of
 * docs/algorithms/common.md#hardening-rules; decisions and weaknesses stand in docs/algorithms/token-ring.md#quirks.
 */
final class TokenRing implements Election {

    private static final String TR = "TR";
    private static final String HB = "HB";
    private static final int NOBODY = -1;

    private final Membership membership;
    private final int self;
    private final Timing timing;
    private final Options options;
    private final boolean hardened;
    private final boolean persistent;                                    // option P, which F does not have

    private long term;                                                   // K2: the highest term in any message
    private Victory seen = Victory.NONE;                                 // K2: the last accepted victory
    private int leader = NOBODY;
    private List<Integer> ring = List.of();                              // the members; never changed in place
    private boolean participating;                                       // part; in H, TR is pending exactly then
    private Attempt attempt = Attempt.NONE;                              // K5: seq = (inc, k)
    private SortedSet<Integer> suspects = Collections.emptySortedSet();  // S; never changed in place

    private List<Effect> effects = new ArrayList<>();                    // of the event being handled

    TokenRing(Membership membership, Timing timing, Options options) {
        this.membership = membership;
        this.self = membership.self();
        this.timing = timing;
        this.options = options;
        this.hardened = options.variant() == Variant.HARDENED;
        this.persistent = hardened && options.persistence();
    }

    /** N delta each for the rest of the ELECTION and for the COORDINATOR; one more, because equality would be a tie. */
    static long retryTimeout(Timing timing, int size) {
        return timing.deltas(2 * size + 1);
    }

    @Override
    public List<Effect> on(long now, Event event) {
        effects = new ArrayList<>();
        if (event instanceof Event.Start start && persistent && !start.saved().isEmpty()) {
            restore(snapshot().withSaved(start.saved()));                // K7
        }
        TokenRingState.Terms before = snapshot().terms();
        if (hardened) {
            onHardened(event);
            recheck();
        } else {
            onFaithful(event);
        }
        if (persistent && !snapshot().terms().equals(before)) {
            effects.add(0, new Effect.Save(snapshot().saved()));         // K7: before any message that shows it
        }
        checkInvariants();
        return effects;
    }

    // ---------------------------------------------------------------- F, docs/algorithms/token-ring.md#faithful

    private void onFaithful(Event event) {
        if (event instanceof Event.Start start) {
            leader = start.initialLeader().orElse(NOBODY);
            if (leader == NOBODY) {
                initiateFaithful();
            }
        } else if (event instanceof Event.Received received && makesSense(received)) {
            if (received.message() instanceof TokenRingMessage.Election token) {
                onElectionFaithful(token.ids());
            } else {
                onCoordinatorFaithful((Coordinator) received.message());
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
            send(new TokenRingMessage.Election(List.of(self), Attempt.NONE, 0));
        }
    }

    private void onElectionFaithful(List<Integer> ids) {
        boolean isHome = ids.contains(self);                             // decision 1: anywhere in the list
        if (isHome) {
            adoptFaithful(ids);
            if (next() != self) {
                send(new Coordinator(new Victory(0, leader, self), ids, List.of()));
            }
        } else {
            participating = true;
            send(new TokenRingMessage.Election(with(ids, self), Attempt.NONE, 0));
        }
    }

    private void onCoordinatorFaithful(Coordinator coordinator) {
        if (coordinator.victory().closer() != self) {                    // decision 3: its starter removes it
            adoptFaithful(coordinator.ring());
            send(coordinator);
        }
    }

    private void adoptFaithful(List<Integer> ids) {
        leader = Collections.max(ids);                                   // decision 4
        ring = ids;
        participating = false;
        effects.add(new Effect.Nominate(leader, seen.mark()));
    }

    // ---------------------------------------------------------------- H, docs/algorithms/token-ring.md#hardened

    private void onHardened(Event event) {
        if (event instanceof Event.Start start) {
            onStart(start);
        } else if (event instanceof Event.Received received && makesSense(received)) {
            term = Math.max(term, ((TokenRingMessage) received.message()).term());  // K2
            if (received.message() instanceof TokenRingMessage.Election token) {
                onElection(token);
            } else {
                onCoordinator((Coordinator) received.message());
            }
        } else if (event instanceof Event.TimerFired fired) {
            onTimer(fired.timer());
        } else if (event instanceof Event.Suspected suspected && isOther(suspected.process())) {
            setSuspected(suspected.process(), true);
            if (participating) {
                initiateAnew();                                          // the token may have died with the process
            }
        } else if (event instanceof Event.Trusted trusted && setSuspected(trusted.process(), false)
                && leader == self) {
            initiate();                                                  // weakness (d): the ring is counted again
        }
    }

    private void onStart(Event.Start start) {
        attempt = new Attempt(start.incarnation(), 0);                   // K5
        if (start.initialLeader().isPresent()) {
            leader = start.initialLeader().getAsInt();
            Check.state(isProcess(leader), "initial leader %d: does not contend", leader);
            seen = new Victory(term, leader, NOBODY);
            ring = membership.ring();
        }
        set(HB, timing.deltas(size()));
    }

    private void initiate() {
        if (!participating) {
            initiateAnew();
        }
    }

    private void initiateAnew() {
        participating = true;
        attempt = new Attempt(attempt.incarnation(), attempt.number() + 1);
        set(TR, retryTimeout(timing, size()));
        send(new TokenRingMessage.Election(List.of(self), attempt, term));
    }

    /** Awaits the end of an election, or holds one when TR runs out. */
    private void participate() {
        if (!participating) {
            participating = true;
            set(TR, retryTimeout(timing, size()));                       // K4
        }
    }

    private void onElection(TokenRingMessage.Election token) {
        List<Integer> ids = token.ids();
        if (ids.get(0) == self && !(participating && token.attempt().equals(attempt))) {
            return;                                                      // K5: of a former attempt or life
        }
        if (ids.contains(self)) {                                        // decision 1: anywhere in the list
            close(live(ids));
            return;
        }
        participate();
        if (leader == self && Collections.max(with(live(ids), self)) > self) {
            dropLeader();                                                // it will be the leader
        }
        send(new TokenRingMessage.Election(with(ids, self), token.attempt(), term));
    }

    private void close(List<Integer> members) {
        if (options.quorumGuard() && 2 * members.size() <= size()) {     // K6; TR goes on
            return;
        }
        term += 1;                                                       // K2
        adopt(new Victory(term, Collections.max(members), self), members);
        announce();
    }

    private void adopt(Victory victory, List<Integer> members) {
        boolean changed = leader != victory.leader() || !victory.equals(seen);
        leader = victory.leader();
        seen = victory;
        ring = members;
        if (participating) {
            participating = false;
            effects.add(new Effect.CancelTimer(TR));
        }
        if (changed) {
            effects.add(new Effect.Nominate(leader, seen.mark()));
        }
    }

    private void announce() {
        if (next() != self) {
            send(new Coordinator(seen, ring, List.of(self)));
        }
    }

    private void onCoordinator(Coordinator coordinator) {
        Victory victory = coordinator.victory();
        if (coordinator.visited().contains(self)) {
            return;                                                      // one circulation done, starter dead or not
        }
        if (suspects.contains(victory.leader())) {
            participate();                                               // weakness (a); deviation 1
            return;
        }
        if (victory.compareTo(seen) < 0) {
            if (leader == self) {
                participate();                                           // its followers need a higher term
            }
            return;                                                      // without a leader an election is running
        }
        if (victory.leader() < self) {
            participate();
            return;
        }
        if (coordinator.ring().contains(self)) {
            adopt(victory, coordinator.ring());
        } else {
            participate();                                               // the token has passed us by
        }
        if (next() != self) {
            send(new Coordinator(victory, coordinator.ring(), with(coordinator.visited(), self)));
        }
    }

    private void onTimer(String timer) {
        if (timer.equals(HB)) {
            if (leader == self && !participating) {
                announce();                                              // K3
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

    /** A message of another algorithm, from nobody, or that no ring of this size can give, is void. */
    private boolean makesSense(Event.Received received) {
        return isProcess(received.from()) && received.message() instanceof TokenRingMessage ours
                && ours.isPossible(size());
    }

    /** The processes of the list that are not suspected, in its order; this one always is among the live. */
    private List<Integer> live(List<Integer> ids) {
        return ids.stream().filter(id -> !suspects.contains(id)).toList();
    }

    private static List<Integer> with(List<Integer> list, int last) {
        List<Integer> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }

    /** The first process after this one in the ring that is not suspected; this one if there is none. */
    private int next() {
        int place = membership.ring().indexOf(self);                     // of all, or nobody could come back
        int next;
        do {
            place = (place + 1) % size();
            next = membership.ring().get(place);
        } while (suspects.contains(next));
        return next;
    }

    private void send(TokenRingMessage message) {
        effects.add(new Effect.Send(next(), message));
    }

    private void set(String timer, long delay) {
        effects.add(new Effect.SetTimer(timer, delay));
    }

    private boolean setSuspected(int process, boolean suspected) {
        SortedSet<Integer> changed = new TreeSet<>(suspects);
        boolean isNew = suspected ? changed.add(process) : changed.remove(process);
        suspects = Collections.unmodifiableSortedSet(changed);
        return isNew;
    }

    private void checkInvariants() {
        Check.state(term >= seen.term(), "term %d is below the accepted %s", term, seen);
        Check.state(!suspects.contains(self), "process %d suspects itself", self);
        if (hardened) {
            Check.state(leader == NOBODY || leader == seen.leader(), "leader %d has no victory, %s has", leader, seen);
            Check.state(leader == NOBODY || ring.contains(leader), "leader %d is not in the ring %s", leader, ring);
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
    public TokenRingState snapshot() {
        return new TokenRingState(new TokenRingState.Terms(term, seen), new TokenRingState.Result(leader, ring),
                participating, attempt, suspects);
    }

    @Override
    public void restore(State state) {
        TokenRingState snapshot = (TokenRingState) state;
        term = snapshot.terms().term();
        seen = snapshot.terms().seen();
        leader = snapshot.result().leader();
        ring = snapshot.result().ring();
        participating = snapshot.participating();
        attempt = snapshot.attempt();
        suspects = snapshot.suspects();
    }
}
