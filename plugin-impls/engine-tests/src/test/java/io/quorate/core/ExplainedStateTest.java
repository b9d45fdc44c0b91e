package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import org.junit.jupiter.api.Test;

/** {@code explain()} says what is true at the moment of the call. */
class ExplainedStateTest {

    private final LoneNode lone = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0);

    @Test
    void siblingOfAClaimDoesNotSayThatALeaderIsThere() {
        for (int contender = 1; contender <= 3; contender++) {
            lone.contend(contender, "/a");
            lone.advance(3000);
        }
        lone.unanswered(send -> send.message() instanceof Claim);
        lone.step(new NodeEvent.Resign(1, lone.tenure(1)));
        lone.advance(5);
        assertThat(lone.node().explain(3).reason())
                .contains("another contender of this node claims")
                .doesNotContain("another contender of this node leads");
    }
}
