package io.quorate.core;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this node knows of votes and terms by itself: a contender asks its own node's voter before it asks the others.
 */
final class OwnVote {

    private final Context context;
    private final Optional<Voter> voter;
    /** The highest term that a voter has told of. */
    private long termAcknowledged;

    OwnVote(Context context, Optional<Voter> voter) {
        this.context = context;
        this.voter = voter;
    }

    void onTermAcknowledged(long term) {
        termAcknowledged = Math.max(termAcknowledged, term);
        voter.ifPresent(v -> v.onTermHeard(term));
    }

    /** The highest term that this node knows to be in use on any path, from its own ballots and from voters. */
    long termKnown() {
        return voter.map(Voter::termMax).orElse(termAcknowledged);
    }

    /** The term of this node's own ballot on the path; 0 if it does not vote. */
    long term(String path) {
        return voter.map(v -> v.votedTerm(path)).orElse(0L);
    }

    /** When this node's own vote is free for the contender; empty if it is, or if this node does not vote. */
    OptionalLong freeAt(Contender contender) {
        return voter.map(v -> v.freeAt(contender.path, contender.id(context))).orElse(OptionalLong.empty());
    }

    /** Whether this node knows of no live vote on the path. */
    boolean isFree(String path) {
        return voter.map(v -> v.isFree(path)).orElse(true);
    }

    /** Asks who holds this node's own vote whether it needs it, if that one is up. Answers whether it did. */
    boolean challenge(Contender contender) {
        return voter.map(v -> v.challenge(contender.path, contender.id(context))).orElse(false);
    }
}
