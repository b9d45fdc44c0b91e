package io.quorate.core.voters;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.spi.NodeId;
import org.junit.jupiter.api.Test;

/** Rounds that are made up are followed step by step, so that one message does not use them all up. */
class RoundTest {

    private static final long STEP = 1L << 32;
    private static final long KNOWN = 7;

    private static Round round(long counter) {
        return new Round(counter, new NodeId("n1"), 3);
    }

    @Test
    void aRoundThatAnHonestCoordinatorCanReachIsFollowed() {
        assertThat(round(1).following(KNOWN)).isEqualTo(round(1));
        assertThat(round(KNOWN + STEP).following(KNOWN)).isEqualTo(round(KNOWN + STEP));
    }

    @Test
    void inventedRoundIsFollowedByOneStep() {
        assertThat(round(KNOWN + STEP + 1).following(KNOWN)).isEqualTo(round(KNOWN + STEP));
        assertThat(round(NodeMessage.NUMBER_MAX).following(KNOWN)).isEqualTo(round(KNOWN + STEP));
    }
}
