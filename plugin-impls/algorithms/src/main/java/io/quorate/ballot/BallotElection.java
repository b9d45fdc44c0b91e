package io.quorate.ballot;

import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.ballot.BallotMessage.Request;
import io.quorate.machine.ElectionMachine;
import io.quorate.spi.Check;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The state of both machines of the ballot election, and their common steps. The lines of the document
 * stand in {@link FaithfulBallotElection} and {@link HardenedBallotElection}: {@code Ln} is line n of the pseudo-code
 * of source 000 (docs/algorithms/ballot.md#faithful). A ballot (n, pid) is a {@link Mark}: n is its term, pid its
 * process. Ballots are ordered, and {@link Mark#NONE}, which is below all of them, stands for the document's "no
 * leader".
 */
abstract class BallotElection extends ElectionMachine {

    private static final String T = "T";

    /** The order of {@link #ballots}, so that equal sets are equal lists. */
    private static final Comparator<Reply> ORDER = Comparator.comparing(
            Reply::ballot, Comparator.comparingInt(Mark::process).thenComparing(Comparator.naturalOrder()));

    final long initialDelay;

    long round; // L2
    List<Reply> ballots = List.of(); // L3: replies of this round; never changed in place
    Mark ballot = Mark.NONE; // L4: our own
    Mark leader = Mark.NONE; // L5: the leader's ballot, which names it
    Mark bmax = Mark.NONE; // L6: the greatest ballot heard of
    long delay; // L7

    BallotElection(Membership membership, Timing timing, Options options) {
        super(membership, options);
        this.initialDelay = roundDelay(timing);
        this.delay = initialDelay;
    }

    static BallotElection create(Membership membership, Timing timing, Options options, BallotRules rules) {
        return options.variant() == Variant.FAITHFUL
                ? new FaithfulBallotElection(membership, timing, options, rules)
                : new HardenedBallotElection(membership, timing, options);
    }

    /** Delta: a reply comes back within 2 delta; one more, or every reply would be a tie with the timer. */
    static long roundDelay(Timing timing) {
        return timing.deltas(3);
    }

    // ---------------------------------------------------------------- events

    @Override
    protected final void onTimer(String timer) {
        Check.state(timer.equals(T), "timer %s: was never set", timer);
        onEndOfRound();
    }

    @Override
    protected final void onMessage(int from, Message message) {
        if (message instanceof Request request
                && isOther(from)
                && isContender(request.bmax().process())) {
            onRequest(from, request);
        } else if (message instanceof Reply reply
                && isOtherOrWitness(from)
                && reply.ballot().process() == from) {
            onReply(reply);
        }
    }

    /** T has run out. */
    abstract void onEndOfRound();

    /** From a contender, about the ballot of one. */
    abstract void onRequest(int from, Request request);

    /** From the owner of the ballot in it. */
    abstract void onReply(Reply reply);

    private boolean isOtherOrWitness(int process) {
        return 0 <= process && process < membership.size() && process != self;
    }

    // ---------------------------------------------------------------- what a machine does with its state

    /** The first ballot of this process; the fields have their first values. */
    final void begin(Mark first) {
        Check.state(ballot.equals(Mark.NONE), "process %d: started twice", self);
        ballot = first;
    }

    final void setTimer() {
        set(T, delay);
    }

    /** To everybody else, witnesses included. */
    final void ask(Request request) {
        for (int process = 0; process < membership.size(); process++) {
            if (process != self) {
                send(process, request);
            }
        }
    }

    /** The greatest ballot of this process and of the candidates among those that replied. */
    final Mark greatestHeard() {
        Mark top = ballot;
        for (Reply reply : ballots) {
            if (isCandidate(reply)) {
                top = greater(top, reply.ballot());
            }
        }
        return top;
    }

    /** Witnesses cannot lead. */
    boolean isCandidate(Reply reply) {
        return isContender(reply.ballot().process());
    }

    /** H1: whether this process and those that replied are more than half of the voters. */
    final boolean isMajorityOfVotersHeard() {
        int voters = membership.isVoter(self) ? 1 : 0;
        for (Reply reply : ballots) {
            voters += membership.isVoter(reply.ballot().process()) ? 1 : 0;
        }
        return membership.isMajority(voters);
    }

    /** The own ballot becomes the smallest own one above bmax. */
    final void raiseAboveBmax() {
        Mark raised = new Mark(Math.max(ballot.term(), bmax.term()), self, ballot.incarnation());
        boolean isAbove = raised.compareTo(bmax) > 0;
        ballot = isAbove ? raised : new Mark(raised.term() + 1, self, raised.incarnation());
    }

    /** Keeps a reply in place of those that it replaces. */
    final void keep(Reply reply, Predicate<Reply> isReplaced) {
        List<Reply> changed = new ArrayList<>(ballots);
        changed.removeIf(isReplaced);
        int place = Collections.binarySearch(changed, reply, ORDER);
        Check.state(place < 0, "%s: is there already", reply);
        changed.add(-place - 1, reply);
        ballots = Collections.unmodifiableList(changed);
    }

    static Mark greater(Mark one, Mark other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    // ---------------------------------------------------------------- questions, state

    @Override
    protected void checkInvariants() {
        Check.state(leader.compareTo(bmax) <= 0, "leader %s is above bmax %s", leader, bmax);
        Check.state(ballot.process() == self, "own ballot %s of process %d", ballot, self);
    }

    @Override
    public final OptionalInt leader() {
        return leader.equals(Mark.NONE) ? OptionalInt.empty() : OptionalInt.of(leader.process());
    }

    /** Elections never end here; this process takes part in one as long as it has no leader. */
    @Override
    public final boolean isParticipating() {
        return leader.equals(Mark.NONE);
    }

    @Override
    public BallotState snapshot() {
        return new BallotState(round, ballots, ballot, leader, bmax, delay, BallotState.Hardening.NONE);
    }

    @Override
    public void restore(State state) {
        BallotState snapshot = (BallotState) state;
        round = snapshot.round();
        ballots = snapshot.ballots();
        ballot = snapshot.ballot();
        leader = snapshot.leader();
        bmax = snapshot.bmax();
        delay = snapshot.delay();
    }
}
