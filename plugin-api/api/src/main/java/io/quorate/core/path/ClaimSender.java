package io.quorate.core.path;

import io.quorate.core.message.Claim;
import io.quorate.core.step.Context;
import io.quorate.core.support.Belief;
import io.quorate.core.vote.OwnVote;
import io.quorate.spi.NodeId;

/** Asks voters for votes, in terms above every one that was heard of. */
final class ClaimSender {

    private final Context context;
    private final Belief belief;
    private final OwnVote ownVote;

    ClaimSender(Context context, Belief belief, OwnVote ownVote) {
        this.context = context;
        this.belief = belief;
        this.ownVote = ownVote;
    }

    /** A term that the contender may claim next. */
    long nextTerm(Contest contest, Contender contender) {
        return Math.max(Math.max(contest.termSeen(), contender.candidate.term()), ownVote.term(contest.path)) + 1;
    }

    /** A voter that does not support this node would not answer; when it does, the claim is repeated. */
    void send(Contender contender) {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (belief.believes(voter)) {
                send(contender, context.voter(voter));
            }
        }
    }

    /** To each voter whose vote the claim lacks, whether it is believed or not. */
    void sendToMissing(Contender contender) {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (contender.candidate.isMissing(voter, belief.epochOf(voter))) {
                send(contender, context.voter(voter));
            }
        }
    }

    /** Asks one voter. */
    void send(Contender contender, NodeId voter) {
        context.send(voter, new Claim(contender.path, contender.number, contender.candidate.term()));
    }
}
