package io.quorate.ballot;

/**
 * Readings of the document that the faithful variant can be given; the hardened one has its own (H1, H2).
 *
 * @param quorum             how line 21 is read
 * @param announceEveryRound whether line 19 stands behind the condition of line 16, as it is printed, and indicates the
 *                           leader anew in each round
 */
record BallotRules(QuorumRule quorum, boolean announceEveryRound) {

    /** What docs/algorithms/ballot.md#quirks decides. */
    static final BallotRules DEFAULT = new BallotRules(QuorumRule.LITERAL, false);

    /** How line 21 is read. */
    enum QuorumRule {
        /** As printed: half of the processes are enough if their number is even. */
        LITERAL,
        /** H1: more than half of the voters. */
        MAJORITY
    }
}
