package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.step.StepContext;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** ADR-0013 and ADR-0015: who is up. The heartbeat is 100, so silence of 300 is suspicious. */
class NodeLivenessTest {

    private static final NodeId OBSERVER = new NodeId("o1");

    private final List<NodeId> changes = new ArrayList<>();

    private static Heartbeat heartbeat(boolean isConnected) {
        return new Heartbeat(1, 0, 1, Optional.empty(), isConnected, false, 0, 0, true, -1);
    }

    @Test
    void nodeWithoutAMajorityIsNotUpAlthoughItIsHeard() {
        NodeLiveness liveness = new NodeLiveness(Contexts.of(N1), changes::add);
        liveness.onHeartbeat(N2, 1, heartbeat(false));
        assertThat(liveness.isUp(N2)).isFalse();
        liveness.onHeartbeat(N2, 1, heartbeat(true));
        assertThat(liveness.isUp(N2)).isTrue();
        liveness.onHeartbeat(N2, 1, heartbeat(false));
        assertThat(liveness.isUp(N2)).isFalse();
        assertThat(changes).containsExactly(N2, N2);
    }

    @Test
    void silenceOfThreeHeartbeatsIsSuspicious() {
        StepContext context = Contexts.of(N1);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        liveness.onHeartbeat(N2, 1, heartbeat(true));
        context.setNow(200);
        liveness.onHeartbeat(N2, 1, heartbeat(true));
        context.setNow(499);
        context.timers().run(499);
        assertThat(liveness.isUp(N2)).isTrue();
        context.setNow(500);
        context.timers().run(500);
        assertThat(liveness.isUp(N2)).isFalse();
    }

    // A node that hears voters only believes the majority of those that it hears.
    @Test
    void observerBelievesTheMajorityOfTheVotersThatItHears() {
        StepContext context = Contexts.of(OBSERVER);
        NodeLiveness liveness = new NodeLiveness(context, changes::add);
        liveness.onAck(0, 1, 5, Optional.of(List.of(N1, N2, N3)));
        liveness.onAck(1, 1, 5, Optional.of(List.of(N1, N2)));
        assertThat(liveness.isUp(N2)).isTrue();
        assertThat(liveness.isUp(N3)).as("one of two").isFalse();
        liveness.onAck(2, 1, 5, Optional.of(List.of(N1, N2, N3)));
        assertThat(liveness.isUp(N3)).as("two of three").isTrue();
        context.setNow(400);
        liveness.onAck(1, 2, 5, Optional.empty());
        assertThat(liveness.isUp(N3))
                .as("only n2 is heard, and it does not say so")
                .isFalse();
    }

    @Test
    void lateAcknowledgementBringsNoOlderList() {
        NodeLiveness liveness = new NodeLiveness(Contexts.of(OBSERVER), changes::add);
        liveness.onAck(0, 2, 6, Optional.of(List.of(N1, N2, N3)));
        liveness.onAck(0, 1, 5, Optional.of(List.of(N1, N2)));
        assertThat(liveness.isUp(N3)).isTrue();
        assertThat(liveness.reportVersion(0)).isEqualTo(6);
        // The next life of the voter counts anew.
        liveness.onAck(0, 3, 1, Optional.of(List.of(N1, N2)));
        assertThat(liveness.isUp(N3)).isFalse();
        assertThat(liveness.reportVersion(0)).isEqualTo(1);
    }
}
