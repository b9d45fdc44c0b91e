package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.Candidate;
import io.quorate.core.vote.OwnVote;
import io.quorate.spi.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Asks voters for votes, in terms above every one that this node has heard of, and gives back those that contenders of
 * this node hold and do not need.
 */
final class Votes {

    private final StepContext context;
    private final PathTable paths;
    private final SupportHeld supportHeld;
    private final OwnVote ownVote;

    Votes(StepContext context, PathTable paths, SupportHeld supportHeld, OwnVote ownVote) {
        this.context = context;
        this.paths = paths;
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

    /** The votes that a leader has arranged for its successor are not needed. */
    void decline(Handover message) {
        giveBack(context.voters().ids(), message.path(), message.number(), message.claim());
    }

    /** The vote is for a contender that is not there. */
    void giveBack(NodeId voter, Vote vote) {
        giveBack(List.of(voter), vote.path(), vote.number(), vote.term());
    }

    /** A voter asks for a vote back: it gets it, unless a claim or tenure of this node needs it (ADR-0001). */
    void onChallenge(NodeId from, Challenge challenge) {
        ContenderId holder = challenge.holder();
        if (!holder.node().equals(context.self()) || !context.isThisLife(holder.incarnation())) {
            // A node never answers on behalf of a former life: it does not know what that one believed.
            return;
        }
        giveBack(List.of(from), challenge.path(), holder.number(), challenge.term());
    }

    private void giveBack(Collection<NodeId> voters, String path, long number, long term) {
        Optional<Candidate> candidate = paths.contender(path, number).map(c -> c.candidate);
        if (candidate.isEmpty() || candidate.get().releaseUnlessNeeded(term)) {
            voters.forEach(voter -> context.send(voter, new Release(path, number, term, Optional.empty())));
        }
    }
}
