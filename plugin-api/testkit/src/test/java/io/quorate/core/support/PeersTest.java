package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.Heartbeat;
import io.quorate.core.step.Context;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** ADR-0013 and ADR-0015: who is up. The heartbeat is 100, so silence of 300 is suspicious. */
class PeersTest {

    private static final NodeId OBSERVER = new NodeId("o1");

    private final List<NodeId> changes = new ArrayList<>();

    private static Heartbeat heartbeat(boolean isConnected) {
        return new Heartbeat(1, 0, 0, Optional.empty(), isConnected, false, 0, 0, true, -1);
    }

    @Test
    void nodeWithoutAMajorityIsNotUpAlthoughItIsHeard() {
        Peers peers = new Peers(Contexts.of(N1), changes::add);
        peers.onHeartbeat(N2, 1, heartbeat(false));
        assertThat(peers.isUp(N2)).isFalse();
        peers.onHeartbeat(N2, 1, heartbeat(true));
        assertThat(peers.isUp(N2)).isTrue();
        peers.onHeartbeat(N2, 1, heartbeat(false));
        assertThat(peers.isUp(N2)).isFalse();
        assertThat(changes).containsExactly(N2, N2);
    }

    @Test
    void silenceOfThreeHeartbeatsIsSuspicious() {
        Context context = Contexts.of(N1);
        Peers peers = new Peers(context, changes::add);
        peers.onHeartbeat(N2, 1, heartbeat(true));
        context.now(200);
        peers.onHeartbeat(N2, 1, heartbeat(true));
        context.now(499);
        context.timers().run(499);
        assertThat(peers.isUp(N2)).isTrue();
        context.now(500);
        context.timers().run(500);
        assertThat(peers.isUp(N2)).isFalse();
    }

    // A node that hears voters only believes the majority of those that it hears.
    @Test
    void observerBelievesTheMajorityOfTheVotersThatItHears() {
        Context context = Contexts.of(OBSERVER);
        Peers peers = new Peers(context, changes::add);
        peers.onAck(0, 5, Optional.of(List.of(N1, N2, N3)));
        peers.onAck(1, 5, Optional.of(List.of(N1, N2)));
        assertThat(peers.isUp(N2)).isTrue();
        assertThat(peers.isUp(N3)).as("one of two").isFalse();
        peers.onAck(2, 5, Optional.of(List.of(N1, N2, N3)));
        assertThat(peers.isUp(N3)).as("two of three").isTrue();
        context.now(400);
        peers.onAck(1, 5, Optional.empty());
        assertThat(peers.isUp(N3)).as("only n2 is heard, and it does not say so").isFalse();
    }
}
