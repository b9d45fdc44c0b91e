package io.quorate.core.support;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.WireVersion;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.spi.NodeId;
import org.junit.jupiter.api.Test;

/** Who cannot read what the newest version says. */
class OlderPeersTest {

    private static final NodeId STRANGER = new NodeId("stranger");

    private final StepContext context = Contexts.of(N1);
    private final OlderPeers peers = new OlderPeers(context, new NodeLiveness(context, node -> {}));

    private void speaks(NodeId node, int version) {
        peers.onPeerSpeaks(new NodeEvent.PeerSpeaks(node, version));
    }

    @Test
    void whoIsNotKnownToSpeakLessSpeaksTheNewest() {
        assertThat(peers.spokenWith(N2)).isEqualTo(WireVersion.NEWEST);
        speaks(N3, WireVersion.NEWEST);
        speaks(N2, WireVersion.OLDEST);
        assertThat(peers.spokenWith(N2)).isEqualTo(WireVersion.OLDEST);
        assertThat(peers.spokenWith(N3)).isEqualTo(WireVersion.NEWEST);
        assertThat(peers.voters()).containsExactly(N2);
        speaks(N2, WireVersion.NEWEST);
        assertThat(peers.spokenWith(N2)).isEqualTo(WireVersion.NEWEST);
        assertThat(peers.voters()).isEmpty();
        assertThat(peers.describe()).isEmpty();
    }

    @Test
    void onlyVotersAreVoters() {
        speaks(STRANGER, WireVersion.OLDEST);
        assertThat(peers.spokenWith(STRANGER)).isEqualTo(WireVersion.OLDEST);
        assertThat(peers.voters()).isEmpty();
        assertThat(peers.describe()).as("it is not up").isEmpty();
    }

    // Whoever invents names takes no room from voters, and none for long.
    @Test
    void strangersThatAreNotUpAreForgotten() {
        for (int i = 0; i < 1_000; i++) {
            speaks(new NodeId("invented-" + i), WireVersion.OLDEST);
            assertThat(peers.spokenWith(new NodeId("invented-" + (i - 1)))).isEqualTo(WireVersion.NEWEST);
        }
        speaks(N2, WireVersion.OLDEST);
        speaks(N3, WireVersion.OLDEST);
        assertThat(peers.voters()).containsExactly(N2, N3);
        assertThat(peers.describe()).hasValue("n2 speaks wire version 2, n3 speaks wire version 2 (this node up to 3)");
    }
}
