package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node lives on the thread of its transport: neither the application nor a peer may hold that thread up. */
@Timeout(300)
class LeaseUnderLoadTest {

    private static final String PATH = "/app/leader";
    private static final int FRAMES = 10_000;
    /** As long as two leases: whoever held up the node for so long would have cost it both. */
    private static final long LEASES_NANOS = 2_000_000_000L;

    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final Queue<ConnectionState> states = new ConcurrentLinkedQueue<>();

    private OneJvm threeNodes(String transport) {
        OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
        nodes.ids().forEach(id -> nodes.start(id, member(nodes.addresses(), nodes.ids(), transport)));
        return nodes;
    }

    private static ElectionClient.Builder member(Map<String, String> addresses, List<String> voters, String transport) {
        return ElectionClient.builder().peers(addresses).voters(voters).transport(transport);
    }

    private void block() {
        try {
            mayReturn.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            // Its client is closed.
            Thread.currentThread().interrupt();
        }
    }

    private final class Blocking implements LeaderLatchListener {
        @Override
        public void isLeader() {
            block();
        }

        @Override
        public void notLeader() {
            block();
        }
    }

    // Callbacks have threads of their own, even with an executor that takes the caller's.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void callbacksThatDoNotReturnCostNoLease(String transport) throws Exception {
        try (OneJvm nodes = threeNodes(transport)) {
            LeaderLatch quiet = nodes.awaitLeader(nodes.latchesOn(PATH));
            long token = quiet.fencingToken();
            for (String id : nodes.ids()) {
                nodes.client(id)
                        .getConnectionStateListenable()
                        .addListener((client, state) -> states.add(state), Runnable::run);
                LeaderLatch blocked = new LeaderLatch(nodes.client(id), PATH + "/blocked", id);
                blocked.addListener(new Blocking(), Runnable::run);
                blocked.start();
                blocked.getParticipantsAsync().thenRun(this::block);
            }
            LockSupport.parkNanos(LEASES_NANOS);
            assertThat(quiet.hasLeadership()).isTrue();
            assertThat(quiet.fencingToken()).isEqualTo(token);
            assertThat(states).doesNotContain(ConnectionState.SUSPENDED, ConnectionState.LOST);
            // The node goes on with everything else.
            assertThat(nodes.awaitLeader(nodes.latchesOn(PATH + "/another"))).isNotNull();
            mayReturn.countDown();
        }
    }

    // A peer that says what nobody understands, as fast as it can.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void aBurstOfFramesCostsNoLease(String transport) throws Exception {
        OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3", "guest");
        try (nodes) {
            List<String> voters = List.of("n1", "n2", "n3");
            voters.forEach(id -> nodes.start(id, member(nodes.addresses(), voters, transport)));
            LeaderLatch leader = nodes.latch("n1", PATH, "n1");
            nodes.awaitLeader(List.of(leader));
            long token = leader.fencingToken();
            nodes.client("n1").getConnectionStateListenable().addListener((client, state) -> states.add(state));
            try (Transport guest = guest(nodes, transport)) {
                NodeId n1 = new NodeId("n1");
                for (int i = 0; i < FRAMES; i++) {
                    guest.send(n1, new byte[i % 100 == 0 ? Transport.FRAME_LENGTH_MAX : 100]);
                    if (i % 32 == 0) {
                        // As many as a transport holds are on their way.
                        LockSupport.parkNanos(100_000);
                    }
                }
            }
            assertThat(leader.hasLeadership()).isTrue();
            assertThat(leader.fencingToken()).isEqualTo(token);
            assertThat(states).doesNotContain(ConnectionState.SUSPENDED, ConnectionState.LOST);
        }
    }

    private static Transport guest(OneJvm nodes, String name) {
        Map<NodeId, HostAndPort> addresses = new LinkedHashMap<>();
        nodes.addresses()
                .forEach((id, address) -> addresses.put(
                        new NodeId(id),
                        new HostAndPort("127.0.0.1", Integer.parseInt(address.substring(address.indexOf(':') + 1)))));
        Transport guest = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow()
                .create(new TransportProvider.Settings("default", new NodeId("guest"), addresses));
        guest.start((sender, frame) -> {});
        return guest;
    }
}
