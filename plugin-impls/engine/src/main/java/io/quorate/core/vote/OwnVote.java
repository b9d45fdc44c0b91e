package io.quorate.core.vote;

import io.quorate.core.message.ContenderId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * The votes and terms that this node knows by itself: a contender asks its own node's voter before it asks the others.
 */
public final class OwnVote {

    /** The ballots of this node, if it is a voter. */
    public interface Ballots {

        /** The highest term that this voter knows on any path. */
        long termMax();

        /** A term is in use on some path. */
        void onTermHeard(long term);

        /** The term of this voter's ballot on the path. */
        long votedTerm(String path);

        /** When this voter's vote is free for the contender; empty if it is. */
        OptionalLong freeAt(String path, ContenderId contender);

        /** Whether this voter's vote on the path is nobody's. */
        boolean isFree(String path);

        /** Challenges the holder of the vote, if that is another than the contender, and up. Answers whether it did. */
        boolean challenge(String path, ContenderId contender);
    }

    private final BooleanSupplier votes;
    private final Optional<? extends Ballots> ballots;
    /** The highest term that a voter has told of. */
    private long termAcknowledged;

    /**
     * The own vote of one node.
     *
     * @param votes   whether it votes now
     * @param ballots of this node; empty if it can never vote
     */
    public OwnVote(BooleanSupplier votes, Optional<? extends Ballots> ballots) {
        this.votes = votes;
        this.ballots = ballots;
    }

    private Optional<? extends Ballots> voter() {
        return votes.getAsBoolean() ? ballots : Optional.empty();
    }

    /** A voter has told that this term is in use on some path. */
    public void onTermAcknowledged(long term) {
        termAcknowledged = term > DurableTerms.LAST ? termAcknowledged : Math.max(termAcknowledged, term);
        ballots.ifPresent(v -> v.onTermHeard(term));
    }

    /** The highest term that this node knows to be in use on any path, from its own ballots and from voters. */
    public long termKnown() {
        return voter().isPresent() ? voter().get().termMax() : termAcknowledged;
    }

    /** The term of this node's own ballot on the path; 0 if it does not vote. */
    public long term(String path) {
        return voter().isPresent() ? voter().get().votedTerm(path) : 0;
    }

    /** When this node's own vote is free for the contender; empty if it is, or if this node does not vote. */
    public OptionalLong freeAt(String path, ContenderId contender) {
        return voter().isPresent() ? voter().get().freeAt(path, contender) : OptionalLong.empty();
    }

    /** Whether this node knows of no live vote on the path. */
    public boolean isFree(String path) {
        return voter().isEmpty() || voter().get().isFree(path);
    }

    /** Asks the holder of the own vote whether it needs it, if that is another one and up. Answers whether it asked. */
    public boolean challenge(String path, ContenderId contender) {
        return voter().isPresent() && voter().get().challenge(path, contender);
    }
}
