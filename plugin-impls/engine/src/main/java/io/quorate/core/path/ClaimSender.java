package io.quorate.core.path;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.OwnVote;
import io.quorate.spi.NodeId;

/** Asks voters for votes, in terms above every one that this node has heard of. */
final class ClaimSender {

    private final StepContext context;
    private final SupportHeld supportHeld;
    private final OwnVote ownVote;

    ClaimSender(StepContext context, SupportHeld supportHeld, OwnVote ownVote) {
        this.context = context;
        this.supportHeld = supportHeld;
        this.ownVote = ownVote;
    }

    /** A term that the contender may claim next. */
    long nextTerm(ContendedPath contended, LocalContender contender) {
        long heard = Math.max(contended.termSeen(), ownVote.term(contended.path));
        return Math.max(
                        Math.max(heard, contender.candidate.term()),
                        context.voters().floor())
                + 1;
    }

    /**
     * Asks each voter whose vote the claim lacks. A voter that is not believed to support this node would vote in an
     * epoch that this node does not know, and so could not renounce.
     */
    void send(LocalContender contender) {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (supportHeld.believes(voter) && contender.candidate.isMissing(voter, supportHeld.epochOf(voter))) {
                send(contender, context.voter(voter));
            }
        }
    }

    void send(LocalContender contender, NodeId voter) {
        context.send(voter, new Claim(contender.path, contender.number, contender.candidate.term()));
    }
}
