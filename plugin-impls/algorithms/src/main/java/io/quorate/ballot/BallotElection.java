package io.quorate.ballot;

import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.ballot.BallotMessage.Request;
import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Mark;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * The machine of one process, both variants: {@code Ln} is line n of the pseudo-code of source 000
 * (docs/algorithms/ballot.md#faithful), {@code Hn} a hardening (docs/algorithms/ballot.md#hardened). A ballot (n, pid)
 * is a {@link Mark}: n is its term, pid its process. Ballots are ordered, and {@link Mark#NONE}, which is below all
 * of them, stands for the document's "no leader".
 */
final class BallotElection implements Election {

    private static final String T = "T";

    // H5: the longest round in units of the initial delay; after how many good rounds it is shortened.
    private static final int DELAY_MAX = 10;
    private static final int CLEAN_ROUNDS = 20;

    /** The order of {@link #ballots}, so that equal sets are equal lists. */
    private static final Comparator<Reply> ORDER = Comparator.comparing(Reply::ballot,
            Comparator.comparingInt(Mark::process).thenComparing(Comparator.naturalOrder()));

    /** How line 21 is read. */
    enum QuorumRule {
        /** As printed: half of the processes are enough if their number is even. */
        LITERAL,
        /** H1: more than half of the voters. */
        MAJORITY
    }

    /**
     * Readings of the document that can be chosen.
     *
     * @param quorum             how line 21 is read
     * @param announceEveryRound whether line 19 stands behind the condition of line 16, as it is printed, and indicates
     *                           the leader anew in each round
     */
    record Rules(QuorumRule quorum, boolean announceEveryRound) {
        static Rules of(Variant variant) {
            return new Rules(variant == Variant.FAITHFUL ? QuorumRule.LITERAL : QuorumRule.MAJORITY, false);
        }
    }

    private final Membership membership;
    private final int self;
    private final boolean hardened;
    private final boolean persistent;                           // option P, which F does not have
    private final Rules rules;
    private final long initialDelay;                            // the document's Delta

    private long incarnation;                                   // H6; 0 in F
    private long round;                                         // L2
    private List<Reply> ballots = List.of();                    // L3: replies of this round; never changed in place
    private Mark ballot = Mark.NONE;                          // L4: our own
    private Mark leader = Mark.NONE;                          // L5: the leader's ballot, which names it
    private Mark bmax = Mark.NONE;                            // L6: the greatest ballot heard of
    private long delay;                                         // L7
    private Mark bmaxOfRound = Mark.NONE;                     // H4: bmax when the requests of this round left
    private boolean heardQuorum = true;                         // H8: qc
    private boolean stale;                                      // H5: a late reply came in this round
    private int cleanRounds;                                    // H5: rounds without one, in a row

    private List<Effect> effects = new ArrayList<>();           // of the event being handled

    BallotElection(Membership membership, Timing timing, Options options, Rules rules) {
        this.membership = membership;
        this.self = membership.self();
        this.hardened = options.variant() == Variant.HARDENED;
        this.persistent = hardened && options.persistence();
        this.rules = rules;
        this.initialDelay = roundDelay(timing);
        this.delay = initialDelay;
    }

    /** Delta: a reply comes back within 2 delta; one more, or every reply would be a tie with the timer. */
    static long roundDelay(Timing timing) {
        return timing.deltas(3);
    }

    @Override
    public List<Effect> on(long now, Event event) {
        effects = new ArrayList<>();
        Mark bmaxBefore = bmax;
        if (event instanceof Event.Start start) {
            onStart(start);
        } else if (event instanceof Event.TimerFired fired) {
            Check.state(fired.timer().equals(T), "timer %s: was never set", fired.timer());
            onTimer();
        } else if (event instanceof Event.Received received && received.message() instanceof Request request) {
            onRequest(received.from(), request);
        } else if (event instanceof Event.Received received && received.message() instanceof Reply reply) {
            onReply(received.from(), reply);
        }
        if (persistent && !bmax.equals(bmaxBefore)) {
            effects.add(0, save());                             // H9: before any message that shows it
        }
        checkInvariants();
        return effects;
    }

    private void onStart(Event.Start start) {                   // L1-8
        Check.state(ballot.equals(Mark.NONE), "process %d: started twice", self);
        incarnation = hardened ? start.incarnation() : 0;
        ballot = new Mark(0, self, incarnation);               // L4
        bmax = greater(ballot, saved(start.saved()));           // L6, H9
        bmaxOfRound = hardened ? bmax : Mark.NONE;             // H4
        setTimer();                                             // L8
    }

    private void onTimer() {                                    // L20
        if (!hardened) {
            if (hasQuorum()) {                                  // L21
                checkLeader();                                  // L22
            }
        } else if (round > 0) {                                 // round 0 asked nobody: it proves nothing
            onEndOfRound();
            adaptDelay();
        }
        ballots = List.of();                                    // L23
        round += 1;                                             // L24
        bmaxOfRound = hardened ? bmax : Mark.NONE;             // H4
        Request request = new Request(round, bmax, incarnation);
        for (int process = 0; process < membership.size(); process++) {
            if (process != self) {                              // L25-27
                effects.add(new Effect.Send(process, request));
            }
        }
        setTimer();                                             // L28
    }

    private void onEndOfRound() {
        if (!hasQuorum()) {
            heardQuorum = false;                                // H8
            dropLeader();
        } else if (!heardQuorum) {
            heardQuorum = true;                                 // H8: the others are just coming back as well
        } else {
            checkLeader();                                      // L22
        }
    }

    private boolean hasQuorum() {                               // L21, H1
        if (rules.quorum() == QuorumRule.LITERAL) {
            int half = (membership.size() + 1) / 2;
            return ballots.size() + 1 >= half;
        }
        int voters = membership.isVoter(self) ? 1 : 0;
        for (Reply reply : ballots) {
            voters += membership.isVoter(reply.ballot().process()) ? 1 : 0;
        }
        return membership.isMajority(voters);
    }

    private void checkLeader() {                                // L9
        Mark top = top();
        if (top.compareTo(hardened ? bmaxOfRound : bmax) < 0) { // L11, H4
            if (!isHeld()) {
                raise();
            }
            dropLeader();                                       // L14
        } else if (top.compareTo(bmax) >= 0) {                  // H4: one learnt since the requests left must wait
            follow(top);
        }
    }

    private void follow(Mark top) {                            // L15
        boolean isNew = !top.equals(leader);                    // L16
        bmax = top;                                             // L17
        leader = top;                                           // L18
        if (isNew || rules.announceEveryRound()) {
            effects.add(new Effect.Nominate(top.process(), top)); // L19
        }
    }

    private Mark top() {                                       // L10
        Mark top = ballot;
        for (Reply reply : ballots) {
            // Witnesses cannot lead. A process that has no quorum (H8) may be about to step down.
            if (isContender(reply.ballot().process()) && reply.heardQuorum()) {
                top = greater(top, reply.ballot());
            }
        }
        return top;
    }

    private void raise() {                                      // L12-13: the smallest own ballot above bmax
        Mark raised = new Mark(Math.max(ballot.term(), bmax.term()), self, incarnation);
        boolean isAbove = raised.compareTo(bmax) > 0;
        ballot = isAbove ? raised : new Mark(raised.term() + 1, self, incarnation);
    }

    /** H7: somebody with a quorum still hears the leader that we miss, so the link is cut and the leader alive. */
    private boolean isHeld() {
        for (Reply reply : ballots) {
            if (hardened && reply.heardQuorum() && reply.leaderBallot().compareTo(bmaxOfRound) >= 0) {
                return true;
            }
        }
        return false;
    }

    private void dropLeader() {
        if (hardened && !leader.equals(Mark.NONE)) {
            effects.add(new Effect.NoNominee());                // H3; F is silent
        }
        leader = Mark.NONE;
    }

    private void adaptDelay() {                                 // H5
        if (stale) {
            delay = Math.min(delay + initialDelay, DELAY_MAX * initialDelay);
            cleanRounds = 0;
        } else if (delay > initialDelay) {
            cleanRounds += 1;
        }
        if (cleanRounds == CLEAN_ROUNDS) {
            delay -= initialDelay;
            cleanRounds = 0;
        }
        stale = false;
    }

    private void onRequest(int from, Request request) {         // L29
        if (from == self || !isContender(from) || !isContender(request.bmax().process())) {
            return;
        }
        bmax = greater(bmax, request.bmax());                   // L30-31
        Mark followed = hardened ? leader : Mark.NONE;
        Reply reply = new Reply(request.round(), ballot, request.incarnation(), followed, heardQuorum);
        effects.add(new Effect.Send(from, reply));              // L32: the own ballot, the request's round
    }

    private void onReply(int from, Reply reply) {               // L33
        boolean isProcess = 0 <= from && from < membership.size() && from != self;
        if (!isProcess || reply.ballot().process() != from || reply.incarnation() != incarnation) {
            return;                                             // H6: an answer to a former life says nothing
        }
        if (reply.round() == round) {                           // L34
            addBallot(reply);                                   // L35
        } else if (hardened) {
            stale |= reply.round() < round;                     // H5; a round to come was never asked for
        } else {
            delay += initialDelay;                              // L37
        }
    }

    /** L35. F keeps a set of (sender, ballot), H a map from sender to ballot (H6). */
    private void addBallot(Reply reply) {
        List<Reply> changed = new ArrayList<>(ballots);
        changed.removeIf(old -> hardened ? old.ballot().process() == reply.ballot().process()
                : old.ballot().equals(reply.ballot()));
        int place = Collections.binarySearch(changed, reply, ORDER);
        Check.state(place < 0, "%s: is there already", reply);
        changed.add(-place - 1, reply);
        ballots = Collections.unmodifiableList(changed);
    }

    // ---------------------------------------------------------------- H9

    private Effect.Save save() {
        WireWriter out = new WireWriter();
        BallotMessage.writeBallot(out, bmax);
        return new Effect.Save(new Event.Saved(out.toBytes()));
    }

    private Mark saved(Event.Saved saved) {
        if (!persistent || saved.isEmpty()) {
            return Mark.NONE;
        }
        try {
            WireReader in = new WireReader(saved.bytes());
            Mark restored = BallotMessage.readLeaderBallot(in);
            in.expectEnd();
            return restored;
        } catch (MalformedInputException e) {
            throw new IllegalStateException("saved state " + saved + ": was not written by this algorithm", e);
        }
    }

    // ---------------------------------------------------------------- effects, questions, state

    private void setTimer() {
        effects.add(new Effect.SetTimer(T, delay));
    }

    private boolean isContender(int process) {
        return 0 <= process && process < membership.contenders();
    }

    private static Mark greater(Mark one, Mark other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private void checkInvariants() {
        Check.state(leader.compareTo(bmax) <= 0, "leader %s is above bmax %s", leader, bmax);
        Check.state(bmaxOfRound.compareTo(bmax) <= 0, "bmax sank from %s to %s", bmaxOfRound, bmax);
        Check.state(ballot.process() == self, "own ballot %s of process %d", ballot, self);
        Check.state(heardQuorum || leader.equals(Mark.NONE), "leader %s without a quorum", leader);
    }

    @Override
    public OptionalInt leader() {
        return leader.equals(Mark.NONE) ? OptionalInt.empty() : OptionalInt.of(leader.process());
    }

    /** Elections never end here; this process takes part in one as long as it has no leader. */
    @Override
    public boolean isParticipating() {
        return leader.equals(Mark.NONE);
    }

    @Override
    public Snapshot snapshot() {
        return new Snapshot(incarnation, round, ballots, ballot, leader, bmax, delay,
                new Hardening(bmaxOfRound, heardQuorum, stale, cleanRounds));
    }

    @Override
    public void restore(State state) {
        Snapshot snapshot = (Snapshot) state;
        incarnation = snapshot.incarnation;
        round = snapshot.round;
        ballots = snapshot.ballots;
        ballot = snapshot.ballot;
        leader = snapshot.leader;
        bmax = snapshot.bmax;
        delay = snapshot.delay;
        bmaxOfRound = snapshot.hardening.bmaxOfRound;
        heardQuorum = snapshot.hardening.heardQuorum;
        stale = snapshot.hardening.stale;
        cleanRounds = snapshot.hardening.cleanRounds;
    }

    /** The part of the state that only H uses; the fields of the machine explain it. */
    record Hardening(Mark bmaxOfRound, boolean heardQuorum, boolean stale, int cleanRounds) {
    }

    /** The whole state; the fields of the machine explain it. */
    record Snapshot(long incarnation, long round, List<Reply> ballots, Mark ballot, Mark leader, Mark bmax,
            long delay, Hardening hardening) implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(incarnation);
            out.writeUnsigned(round);
            out.writeUnsigned(ballots.size());
            ballots.forEach(reply -> reply.writeTo(out));
            BallotMessage.writeBallot(out, ballot);
            BallotMessage.writeBallot(out, leader);
            BallotMessage.writeBallot(out, bmax);
            out.writeUnsigned(delay);
            BallotMessage.writeBallot(out, hardening.bmaxOfRound);
            out.writeBoolean(hardening.heardQuorum);
            out.writeBoolean(hardening.stale);
            out.writeByte(hardening.cleanRounds);
        }
    }
}
