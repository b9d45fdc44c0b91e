package io.quorate.core.vote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import org.junit.jupiter.api.Test;

/** docs/protocol.md#votes, the candidate's half. */
class CandidateTest {

    private static final Epoch E1 = new Epoch(9, 1);
    private static final Epoch E2 = new Epoch(9, 2);

    private final Candidate candidate = new Candidate(3);

    private void lead(long term) {
        candidate.claim(term);
        candidate.onVote(0, term, E1, false);
        candidate.onVote(1, term, E1, false);
        candidate.lead("/p", new Lease(new Epoch[0], 100));
    }

    @Test
    void votesOfEarlierClaimsDoNotCount() {
        candidate.claim(1);
        candidate.onVote(0, 1, E1, false);
        candidate.claim(2);
        assertThat(candidate.certificate()).containsOnlyNulls();
        assertThat(candidate.onVote(1, 1, E1, false)).isFalse();
        assertThat(candidate.onVote(1, 2, E1, false)).isTrue();
    }

    // Ten thousand tenures with equal votes hold one array.
    @Test
    void aVoteDoesNotChangeTheCertificateThatOthersShare() {
        lead(1);
        Epoch[] shared = {E1, E1, null};
        candidate.share(shared);
        assertThat(candidate.onVote(2, 1, E2, true)).isTrue();
        assertThat(candidate.certificate()).containsExactly(E1, E1, E2);
        assertThat(shared).containsExactly(E1, E1, null);
        assertThatIllegalStateException().isThrownBy(() -> candidate.share(shared));
    }

    // A lower own term could be freed by the delayed release of a higher one.
    @Test
    void ownTermsOnlyRise() {
        candidate.claim(2);
        candidate.stop();
        assertThatIllegalStateException().isThrownBy(() -> candidate.claim(2));
        assertThatIllegalStateException().isThrownBy(() -> candidate.claim(1));
        candidate.claim(3);
        assertThat(candidate.term()).isEqualTo(3);
    }

    // ADR-0001: a tenure needs every vote from its token to its term; a claim only its own.
    @Test
    void decision01_tenureCoversAllTermsFromItsTokenUp() {
        candidate.claim(2);
        assertThat(candidate.covers(1)).isFalse();
        assertThat(candidate.covers(2)).isTrue();
        lead(3);
        candidate.bump(7);
        assertThat(candidate.covers(2)).isFalse();
        for (long n = 3; n <= 7; n++) {
            assertThat(candidate.covers(n)).as("term %d", n).isTrue();
        }
        assertThat(candidate.covers(8)).isFalse();
        candidate.stop();
        assertThat(candidate.covers(7)).isFalse();
    }

    @Test
    void bumpKeepsTokenAndVotes() {
        lead(3);
        candidate.bump(7);
        assertThat(candidate.tenure().orElseThrow().token()).isEqualTo(3);
        assertThat(candidate.certificate()).containsExactly(E1, E1, null);
        assertThat(candidate.onVote(2, 5, E1, true))
                .as("a vote between token and term")
                .isTrue();
    }

    // Found by model checking: a late vote must not revive a tenure that another has followed.
    @Test
    void voteExtendsOnlyAValidTenure() {
        lead(3);
        assertThat(candidate.onVote(2, 3, E1, false)).isFalse();
        assertThat(candidate.onVote(2, 3, E1, true)).isTrue();
    }

    @Test
    void voteInAnOlderEpochDoesNotReplaceANewerOne() {
        lead(3);
        assertThat(candidate.onVote(2, 3, E2, true)).isTrue();
        assertThat(candidate.onVote(2, 3, E1, true)).isFalse();
        assertThat(candidate.certificate()[2]).isEqualTo(E2);
    }

    @Test
    void leaderCannotClaimAndIdlerCannotBump() {
        assertThatIllegalStateException().isThrownBy(() -> candidate.bump(4));
        lead(3);
        assertThatIllegalStateException().isThrownBy(() -> candidate.claim(4));
    }

    // Its late copy would count, although the voter has voted for another since.
    @Test
    void termInWhichAVoteWasGivenBackIsNeverClaimed() {
        assertThat(candidate.releaseUnlessNeeded(5)).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> candidate.claim(5));
        candidate.claim(6);
        assertThat(candidate.releaseUnlessNeeded(6)).as("needed").isFalse();
        assertThat(candidate.releaseUnlessNeeded(7))
                .as("above its own, while it claims")
                .isFalse();
        assertThat(candidate.releaseUnlessNeeded(5)).isTrue();
        candidate.stop();
        assertThat(candidate.releaseUnlessNeeded(7)).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> candidate.claim(7));
    }
}
