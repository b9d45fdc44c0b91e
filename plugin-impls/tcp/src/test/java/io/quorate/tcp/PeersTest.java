package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is listed, and what a node of which this one was told keeps whatever strangers do. */
class PeersTest {

    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OF_SETTINGS = new NodeId("b");
    private static final NodeId TOLD = new NodeId("told");
    private static final HostAndPort HERE = new HostAndPort("127.0.0.9", 7400);
    private static final HostAndPort ELSEWHERE = new HostAndPort("127.0.0.2", 9);

    private final Peers peers = new Peers(
            SELF,
            Map.of(SELF, new HostAndPort("127.0.0.1", 1), OF_SETTINGS, new HostAndPort("127.0.0.1", 2)),
            new Resolver("peers-test"),
            new Counters());

    private Peer peer(NodeId id) {
        return Objects.requireNonNull(peers.get(id));
    }

    private boolean isAdmitted(int stranger) {
        return peers.caller(new NodeId("stranger-" + stranger), Optional.of(ELSEWHERE), stranger) != null;
    }

    private void callAsStrangers(int count) {
        for (int stranger = 0; stranger < count; stranger++) {
            isAdmitted(stranger);
        }
    }

    @Test
    void strangersDoNotEvictAToldPeer() {
        peers.tell(TOLD, HERE);
        callAsStrangers(Peers.CONTENDERS_MAX + 1);
        assertThat(peers.all()).hasSize(1 + 1 + Peers.CONTENDERS_MAX);
        assertThat(peer(TOLD).address).contains(HERE);
        assertThat(peers.caller(TOLD, Optional.of(HERE), 0)).isSameAs(peer(TOLD));
    }

    @Test
    void contenderThatIsToldFreesItsPlaceForOthers() {
        callAsStrangers(Peers.CONTENDERS_MAX);
        NodeId first = new NodeId("stranger-0");
        Peer before = peer(first);
        peers.tell(first, HERE);
        assertThat(peer(first)).isSameAs(before);
        assertThat(before.address).contains(HERE);
        assertThat(peers.listed()).isEqualTo(2);
        assertThat(isAdmitted(Peers.CONTENDERS_MAX)).isTrue();
        assertThat(peers.get(new NodeId("stranger-1"))).as("there is room").isNotNull();
    }

    // One frame without a proof would lead this node to the wrong place, and nobody tells it again.
    @Test
    void aHelloReplacesTheAddressOfAContenderAlone() {
        NodeId contender = new NodeId("contender");
        peers.tell(TOLD, HERE);
        for (NodeId id : new NodeId[] {contender, TOLD, OF_SETTINGS}) {
            peers.caller(id, Optional.of(HERE), 0);
            peers.caller(id, Optional.of(ELSEWHERE), 0);
        }
        assertThat(peer(contender).address).contains(ELSEWHERE);
        assertThat(peer(TOLD).address).contains(HERE);
        assertThat(peer(OF_SETTINGS).address).contains(new HostAndPort("127.0.0.1", 2));
    }

    @Test
    void theAddressInTheSettingsStays() {
        peers.tell(OF_SETTINGS, HERE);
        assertThat(peer(OF_SETTINGS).address).contains(new HostAndPort("127.0.0.1", 2));
    }

    @Test
    void toldPeerHasExactlyOneAddress() throws UnknownHostException {
        peers.tell(TOLD, ELSEWHERE);
        assertThat(peers.areAt(InetAddress.getByName(ELSEWHERE.host()))).isTrue();
        peers.tell(TOLD, HERE);
        assertThat(peers.areAt(InetAddress.getByName(HERE.host()))).isTrue();
        assertThat(peers.areAt(InetAddress.getByName(ELSEWHERE.host()))).isFalse();
        assertThat(peer(TOLD).found).containsExactly(InetAddress.getByName(HERE.host()));
    }

    @Test
    void ofThoseThatWereToldTheFirstThatIsAwayMakesRoom() throws Exception {
        for (int i = 0; i < Peers.TOLD_MAX; i++) {
            peers.tell(new NodeId("told-" + i), HERE);
        }
        peers.tell(new NodeId("told-0"), HERE);
        peers.tell(TOLD, HERE);
        assertThat(peers.get(new NodeId("told-0"))).as("told again").isNotNull();
        assertThat(peers.get(new NodeId("told-1"))).isNull();
        assertThat(peers.listed()).isEqualTo(1 + Peers.TOLD_MAX);
    }
}
