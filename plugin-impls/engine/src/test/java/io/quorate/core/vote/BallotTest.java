package io.quorate.core.vote;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.support.Supporters;
import io.quorate.core.vote.Ballot.NotHeard;
import io.quorate.core.vote.Ballot.NotReserved;
import io.quorate.core.vote.Ballot.NotVoted;
import io.quorate.core.vote.Ballot.Voted;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#votes, the voter's half. */
class BallotTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final ContenderId C = new ContenderId(N1, 1, 1);
    private static final ContenderId D = new ContenderId(N2, 1, 1);
    private static final Epoch E1 = new Epoch(9, 1);
    private static final Epoch E2 = new Epoch(9, 2);
    private static final long CEILING = 1000;

    private final Map<NodeId, Epoch> supported = new TreeMap<>(Map.of(N1, E1, N2, E2));
    private final Supporters supporters = new Supporters() {
        @Override
        public Epoch epochOf(NodeId node, long incarnation) {
            return supported.get(node);
        }

        @Override
        public long remaining(NodeId node) {
            return 77;
        }
    };
    private final Ballot ballot = new Ballot(0);

    private Ballot.Verdict claim(ContenderId claimer, long term) {
        return ballot.onClaim(claimer, term, supporters, CEILING);
    }

    @Test
    void freeBallotIsGivenInTheEpochOfSupport() {
        assertThat(claim(C, 1)).isEqualTo(new Voted(E1));
        assertThat(ballot.holder()).contains(C);
        assertThat(ballot.term()).isEqualTo(1);
    }

    @Test
    void claimOfAnUnsupportedNodeIsNotHeard() {
        supported.remove(N1);
        assertThat(claim(C, 1)).isEqualTo(new NotHeard());
        assertThat(ballot.term()).isZero();
    }

    // A live vote is never overwritten, whatever the term; and the term is not adopted.
    @Test
    void liveVoteStandsAgainstAHigherTerm() {
        claim(C, 1);
        assertThat(claim(D, 5)).isEqualTo(new NotVoted(1, Optional.of(C), 77));
        assertThat(ballot.term()).isEqualTo(1);
        assertThat(ballot.holder()).contains(C);
    }

    @Test
    void voteOfALapsedEpochIsFree() {
        claim(C, 1);
        supported.put(N1, new Epoch(9, 3));
        assertThat(ballot.isLive(supporters)).isFalse();
        assertThat(claim(D, 2)).isEqualTo(new Voted(E2));
    }

    // ADR-0012: terms are plain counters, and a voter votes once per term.
    @Test
    void decision12_oneVotePerTerm() {
        claim(C, 3);
        ballot.onRelease(C, 3, CEILING);
        assertThat(claim(D, 3)).isEqualTo(new NotVoted(3, Optional.empty(), 0));
        assertThat(claim(D, 2)).isEqualTo(new NotVoted(3, Optional.empty(), 0));
        assertThat(claim(D, 4)).isEqualTo(new Voted(E2));
    }

    @Test
    void repeatedClaimIsAnsweredWithTheSameVote() {
        claim(C, 3);
        assertThat(claim(C, 3)).isEqualTo(new Voted(E1));
        assertThat(claim(C, 2)).isInstanceOf(NotVoted.class);
    }

    // ADR-0002: node, incarnation and number together are the holder.
    @Test
    void decision02_anotherContenderOrLifeOfTheNodeIsAnotherHolder() {
        claim(C, 3);
        ContenderId sibling = new ContenderId(N1, 1, 2);
        ContenderId nextLife = new ContenderId(N1, 2, 1);
        assertThat(claim(sibling, 3)).isEqualTo(new NotVoted(3, Optional.of(C), 77));
        assertThat(claim(nextLife, 4)).isEqualTo(new NotVoted(3, Optional.of(C), 77));
        assertThat(ballot.onRelease(sibling, 9, CEILING)).isFalse();
        assertThat(ballot.onRelease(nextLife, 9, CEILING)).isFalse();
        assertThat(ballot.holder()).contains(C);
    }

    @Test
    void releaseFreesTheVoteAndClosesItsTerm() {
        claim(C, 3);
        assertThat(ballot.onRelease(C, 5, CEILING)).isTrue();
        assertThat(ballot.isLive(supporters)).isFalse();
        assertThat(claim(D, 5))
                .as("a late copy of a claim up to the released term")
                .isInstanceOf(NotVoted.class);
        assertThat(claim(D, 6)).isInstanceOf(Voted.class);
    }

    // A delayed release of an earlier claim must not free the vote of a later one.
    @Test
    void releaseOfALowerTermIsIgnored() {
        claim(C, 3);
        assertThat(ballot.onRelease(C, 2, CEILING)).isFalse();
        assertThat(ballot.isLive(supporters)).isTrue();
    }

    // ADR-0007: a vote above the ceiling could be forgotten by a restart.
    @Test
    void decision07_claimAboveTheCeilingIsNeitherVotedForNorRemembered() {
        assertThat(claim(C, CEILING + 1)).isEqualTo(new NotReserved());
        assertThat(ballot.term()).isZero();
        assertThat(ballot.holder()).isEmpty();
        assertThat(claim(C, CEILING)).isInstanceOf(Voted.class);
    }

    // A closed term above the ceiling would be lower again after a restart.
    @Test
    void releaseClosesNothingAboveTheCeiling() {
        claim(C, 3);
        ballot.onRelease(C, CEILING + 50, CEILING);
        assertThat(ballot.term()).isEqualTo(CEILING);
    }

    @Test
    void decision03_forgottenPathBeginsAtTheFloor() {
        Ballot later = new Ballot(40);
        assertThat(later.onClaim(C, 40, supporters, CEILING)).isInstanceOf(NotVoted.class);
        assertThat(later.onClaim(C, 41, supporters, CEILING)).isInstanceOf(Voted.class);
    }
}
