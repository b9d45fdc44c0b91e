package io.quorate.ballot;

import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.ballot.BallotMessage.Request;
import io.quorate.ballot.BallotState.Hardening;
import io.quorate.spi.Election;
import io.quorate.spi.Message;
import io.quorate.testkit.model.ModelChecker.Sent;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.NormalForm;

/**
 * Ballot elections go on for ever; in this form they have few states.
 *
 * <p>Rounds are counted from 1 to {@code circle} and then from 1 again. A process compares the round of a reply with
 * its own for equality, and besides (H5) only to find a round length; so nothing changes as long as no message of one
 * round is on its way when the round of the same number begins: {@link #areRoundsToldApart}, which must hold always.
 *
 * <p>The round length (delay, and what it follows from) is forgotten: it is the length of the one timer, and timers
 * have none in the checker.
 */
record BallotNormalForm(long circle) implements NormalForm {

    private long inCircle(long round) {
        return round == 0 ? 0 : (round - 1) % circle + 1;
    }

    @Override
    public Election.State of(Election.State state, long elapsed) {
        BallotState full = (BallotState) state;
        Hardening hardening = new Hardening(
                full.hardening().incarnation(),
                full.hardening().bmaxOfRound(),
                full.hardening().heardQuorum(),
                RoundLength.SHORTEST);
        return new BallotState(
                inCircle(full.round()),
                full.ballots().stream().map(this::of).toList(),
                full.ballot(),
                full.leader(),
                full.bmax(),
                0,
                hardening);
    }

    @Override
    public Message of(Message message) {
        return message instanceof Request request
                ? new Request(inCircle(request.round()), request.bmax(), request.incarnation())
                : of((Reply) message);
    }

    private Reply of(Reply reply) {
        return new Reply(
                inCircle(reply.round()),
                reply.ballot(),
                reply.incarnation(),
                reply.leaderBallot(),
                reply.heardQuorum());
    }

    /** No request of a process, and no reply to one, has the number of its next round. */
    boolean areRoundsToldApart(World world) {
        for (int index = 0; index < world.messages(); index++) {
            Sent sent = world.message(index);
            boolean isOfThisLife = world.isAlive(sent.from()) && sent.incarnation() == world.incarnation(sent.from());
            if (isOfThisLife
                    && (sent.message() instanceof Request request
                            ? request.round() == nextRound(world, sent.from())
                            : ((Reply) sent.message()).round() == nextRound(world, sent.to()))) {
                return false;
            }
        }
        return true;
    }

    private long nextRound(World world, int process) {
        return inCircle(((BallotState) world.state(process)).round() + 1);
    }
}
