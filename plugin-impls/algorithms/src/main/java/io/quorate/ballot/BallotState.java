package io.quorate.ballot;

import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.spi.Election;
import io.quorate.spi.Mark;
import io.quorate.spi.WireWriter;
import java.util.List;

/** The whole state of a machine, whose fields explain it; {@code ballots} is a list that is never changed. */
record BallotState(
        long round, List<Reply> ballots, Mark ballot, Mark leader, Mark bmax, long delay, Hardening hardening)
        implements Election.State {

    /** The part of the state that only H uses. */
    record Hardening(long incarnation, Mark bmaxOfRound, boolean heardQuorum, RoundLength length) {
        static final Hardening NONE = new Hardening(0, Mark.NONE, true, RoundLength.SHORTEST);
    }

    BallotState with(Hardening ofHardened) {
        return new BallotState(round, ballots, ballot, leader, bmax, delay, ofHardened);
    }

    @Override
    public void writeTo(WireWriter out) {
        out.writeUnsigned(round);
        out.writeUnsigned(ballots.size());
        ballots.forEach(reply -> reply.writeTo(out));
        BallotMessage.writeBallot(out, ballot);
        BallotMessage.writeBallot(out, leader);
        BallotMessage.writeBallot(out, bmax);
        out.writeUnsigned(delay);
        out.writeUnsigned(hardening.incarnation);
        BallotMessage.writeBallot(out, hardening.bmaxOfRound);
        out.writeBoolean(hardening.heardQuorum);
        hardening.length.writeTo(out);
    }
}
