package io.quorate.core.vote;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnVoteTest {

    // A term that leaves none above it would end all claims of this node for good.
    @Test
    void termThatUsesAllTermsUpIsNotFollowed() {
        OwnVote noVoter = new OwnVote(() -> false, Optional.empty());
        noVoter.onTermAcknowledged(7);
        noVoter.onTermAcknowledged(NodeMessage.NUMBER_MAX);
        noVoter.onTermAcknowledged(5);
        assertThat(noVoter.termKnown()).isEqualTo(7);
    }
}
