package io.quorate.ballot;

import io.quorate.ballot.BallotMessage.Reply;
import io.quorate.ballot.BallotMessage.Request;
import io.quorate.ballot.BallotRules.QuorumRule;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import java.util.List;

/** The faithful variant (F, docs/algorithms/ballot.md#faithful): lines 1 to 37 of source 000, and nothing else. */
final class FaithfulBallotElection extends BallotElection {

    private final BallotRules rules;

    FaithfulBallotElection(Membership membership, Timing timing, Options options, BallotRules rules) {
        super(membership, timing, options);
        this.rules = rules;
    }

    @Override
    protected void onStart(Event.Start start) { // L1
        begin(new Mark(0, self, 0)); // L2-5, L7
        bmax = ballot; // L6
        setTimer(); // L8
    }

    private void checkLeader() { // L9
        Mark top = greatestHeard(); // L10
        if (top.compareTo(bmax) < 0) { // L11
            raiseAboveBmax(); // L12-13
            leader = Mark.NONE; // L14
        } else { // L15
            boolean isNew = !top.equals(leader); // L16
            bmax = top; // L17
            leader = top; // L18
            if (isNew || rules.announceEveryRound()) {
                nominate(top.process(), top); // L19
            }
        }
    }

    @Override
    void onEndOfRound() { // L20
        if (hasQuorum()) { // L21
            checkLeader(); // L22
        }
        ballots = List.of(); // L23
        round += 1; // L24
        ask(new Request(round, bmax)); // L25-27
        setTimer(); // L28
    }

    private boolean hasQuorum() {
        int half = (membership.size() + 1) / 2;
        return rules.quorum() == QuorumRule.LITERAL ? ballots.size() + 1 >= half : isMajorityOfVotersHeard();
    }

    @Override
    void onRequest(int from, Request request) { // L29
        bmax = greater(bmax, request.bmax()); // L30-31
        send(from, new Reply(request.round(), ballot)); // L32: the own ballot, the request's round
    }

    @Override
    void onReply(Reply reply) { // L33
        if (reply.round() == round) { // L34
            keep(reply, old -> old.ballot().equals(reply.ballot())); // L35: a set of (sender, ballot)
        } else { // L36
            delay += initialDelay; // L37
        }
    }
}
