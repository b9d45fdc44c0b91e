package io.quorate.ballot;

import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.ballot.BallotMessage.Request;
import io.quorate.ballot.BallotState.Hardening;
import io.quorate.spi.Check;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.List;

/**
 * The hardened variant (H, docs/algorithms/ballot.md#hardened): the lines of source 000 with H1 to H9. A leader is
 * indicated on change only (H2).
 */
final class HardenedBallotElection extends BallotElection {

    private long incarnation; // H6: our life
    private Mark bmaxOfRound = Mark.NONE; // H4: bmax when the requests of this round left
    private boolean heardQuorum = true; // H8: qc
    private RoundLength length = RoundLength.SHORTEST; // H5

    HardenedBallotElection(Membership membership, Timing timing, Options options) {
        super(membership, timing, options);
    }

    @Override
    protected void onStart(Event.Start start) { // L1
        incarnation = start.incarnation(); // H6
        begin(new Mark(0, self, incarnation)); // L2-5, L7
        bmax = greater(ballot, bmax); // L6, H9: what a former life has saved
        bmaxOfRound = bmax; // H4
        setTimer(); // L8
    }

    // ---------------------------------------------------------------- the end of a round

    @Override
    void onEndOfRound() { // L20
        if (round > 0) { // round 0 asked nobody: it proves nothing
            testQuorum();
            length = length.ended(initialDelay); // H5
            delay = length.patience().of(initialDelay);
        }
        ballots = List.of(); // L23
        round += 1; // L24
        bmaxOfRound = bmax; // H4
        length = length.asked(now); // H5
        ask(new Request(round, bmax, incarnation)); // L25-27
        setTimer(); // L28
    }

    private void testQuorum() {
        if (!isMajorityOfVotersHeard()) { // L21, H1
            heardQuorum = false; // H8
            dropLeader();
        } else if (!heardQuorum) {
            heardQuorum = true; // H8: the others are just coming back as well
        } else {
            checkLeader(); // L22
        }
    }

    /**
     * H4: a ballot that was known before the round, and is missing in it, proves its owner silent. A ballot learnt
     * during the round proves nothing and has to wait for the next round.
     */
    private void checkLeader() { // L9
        Mark top = greatestHeard(); // L10
        if (top.compareTo(bmaxOfRound) < 0) { // L11
            if (!isHeld()) {
                raiseAboveBmax(); // L12-13
            }
            dropLeader(); // L14
        } else if (top.compareTo(bmax) >= 0) {
            follow(top); // L15
        }
    }

    private void follow(Mark top) {
        boolean isNew = !top.equals(leader); // L16
        bmax = top; // L17
        leader = top; // L18
        if (isNew) {
            nominate(top.process(), top); // L19
        }
    }

    /** H8: a process that has no quorum may be about to step down. */
    @Override
    boolean isCandidate(Reply reply) {
        return super.isCandidate(reply) && reply.heardQuorum();
    }

    /** H7: somebody with a quorum still hears the leader that we miss, so the link is cut and the leader alive. */
    private boolean isHeld() {
        for (Reply reply : ballots) {
            if (reply.heardQuorum() && reply.leaderBallot().compareTo(bmaxOfRound) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** H3: the loss of a leader is indicated. */
    private void dropLeader() {
        if (!leader.equals(Mark.NONE)) {
            nominateNobody();
        }
        leader = Mark.NONE;
    }

    // ---------------------------------------------------------------- messages

    @Override
    void onRequest(int from, Request request) { // L29
        bmax = greater(bmax, request.bmax()); // L30-31
        // L32: the own ballot, the request's round and life (H6); for H7 the leader, for H8 the quorum.
        send(from, new Reply(request.round(), ballot, request.incarnation(), leader, heardQuorum));
    }

    @Override
    void onReply(Reply reply) { // L33
        if (reply.incarnation() != incarnation) {
            return; // H6: an answer to a former life says nothing
        }
        if (reply.round() == round) { // L34
            keep(reply, old -> old.ballot().process() == reply.ballot().process()); // L35, H6: the last of a sender
            length = length.answered(now); // H5
        } else if (reply.round() < round) { // a round to come was never asked for
            length = length.late(); // H5
        }
    }

    // ---------------------------------------------------------------- state

    @Override
    protected void checkInvariants() {
        super.checkInvariants();
        Check.state(bmaxOfRound.compareTo(bmax) <= 0, "bmax sank from %s to %s", bmaxOfRound, bmax);
        Check.state(heardQuorum || leader.equals(Mark.NONE), "leader %s without a quorum", leader);
    }

    @Override
    protected void writeSaved(WireWriter out) { // H9: no life indicates less than the one before
        BallotMessage.writeBallot(out, bmax);
    }

    @Override
    protected void readSaved(WireReader in) throws MalformedInputException {
        bmax = BallotMessage.readLeaderBallot(in);
    }

    @Override
    public BallotState snapshot() {
        return super.snapshot().with(new Hardening(incarnation, bmaxOfRound, heardQuorum, length));
    }

    @Override
    public void restore(State state) {
        super.restore(state);
        Hardening hardening = ((BallotState) state).hardening();
        incarnation = hardening.incarnation();
        bmaxOfRound = hardening.bmaxOfRound();
        heardQuorum = hardening.heardQuorum();
        length = hardening.length();
    }
}
