package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.Heartbeat;
import io.quorate.core.message.WireVersion;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.spi.NodeId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who cannot read what the newest version says. */
class OlderPeersTest {

    private static final NodeId STRANGER = new NodeId("stranger");

    private final StepContext context = Contexts.of(N1);
    private final NodeLiveness liveness = new NodeLiveness(context, node -> {});
    private final OlderPeers peers = new OlderPeers(context, liveness);

    private void speaks(NodeId node, int version) {
        peers.onPeerSpeaks(new NodeEvent.PeerSpeaks(node, version));
    }

    private void isHeard(NodeId node) {
        liveness.onHeartbeat(node, 1, new Heartbeat(1, 0, 0, Optional.empty(), true, true, 0, 7, true, -1));
    }

    @Test
    void whoIsNotKnownToSpeakLessSpeaksTheNewest() {
        assertThat(peers.nodes()).isEmpty();
        speaks(N3, WireVersion.NEWEST);
        speaks(N2, WireVersion.OLDEST);
        assertThat(peers.nodes()).containsExactly(N2);
        speaks(N2, WireVersion.NEWEST);
        assertThat(peers.nodes()).isEmpty();
        assertThat(peers.describe()).isEmpty();
    }

    // It would lose its support at the first change.
    @Test
    void whoeverIsUpCounts() {
        isHeard(STRANGER);
        speaks(STRANGER, WireVersion.OLDEST);
        assertThat(peers.nodes()).containsExactly(STRANGER);
        liveness.onGoodbye(STRANGER);
        assertThat(peers.nodes()).isEmpty();
        assertThat(peers.describe()).as("it is not up").isEmpty();
    }

    // Whoever invents names takes no room from voters, and none for long.
    @Test
    void strangersThatAreNotUpAreForgotten() {
        for (int i = 0; i < 1_000; i++) {
            speaks(new NodeId("invented-" + i), WireVersion.OLDEST);
        }
        isHeard(new NodeId("invented-7"));
        assertThat(peers.nodes()).as("it was forgotten").isEmpty();
        speaks(N2, WireVersion.OLDEST);
        speaks(N3, WireVersion.OLDEST);
        assertThat(peers.nodes()).containsExactly(N2, N3);
        assertThat(peers.describe()).hasValue("n2 speaks wire version 2, n3 speaks wire version 2 (this node up to 3)");
    }
}
