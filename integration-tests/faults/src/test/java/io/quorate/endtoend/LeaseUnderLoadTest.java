package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.ElectionSettings;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.Profile;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Clock;
import io.quorate.engine.Connection;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.Plugins;
import io.quorate.runtime.ElectionDriver;
import io.quorate.runtime.Mailbox;
import io.quorate.runtime.NodeEnvironment;
import io.quorate.runtime.TermStore;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.TcpTransport;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.TlsProbe;
import io.quorate.vertx.VertxTransport;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node lives on the thread of its transport: neither the application nor a peer may hold that thread up. */
@RealTime
class LeaseUnderLoadTest {

    private static final String PATH = "/app/leader";
    /** That many at least are taken: fewer are no burst. */
    private static final int FRAMES_MIN = 1_000;
    /** Longer than a lease: whoever held up the node for so long would have cost it that. */
    private static final long LEASE_NANOS =
            Profile.DEFAULT.supportDuration().multipliedBy(5).dividedBy(4).toNanos();
    /** Three heartbeats: who was not heard for so long is suspected. */
    private static final long SUSPICION_NANOS = 3 * Profile.DEFAULT.heartbeat().toNanos();
    /** About what a call takes. */
    private static final long TURN_NANOS = 20_000;

    private static final int EXCHANGES = 20;
    private static final int STRANGERS = 2;

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

    /** That nothing was heard for three heartbeats may be the machine's doing; it costs nobody a lease. */
    private void assertHasKeptItsLease(LeaderLatch leader, long token) {
        assertThat(states).doesNotContain(ConnectionState.LOST);
        assertThat(leader.hasLeadership()).isTrue();
        assertThat(leader.fencingToken()).isEqualTo(token);
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
            LockSupport.parkNanos(LEASE_NANOS);
            assertHasKeptItsLease(quiet, token);
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
                long begun = System.nanoTime();
                // Those that the guest's transport does not take are no burst.
                for (int i = 0; System.nanoTime() - begun < 2 * LEASE_NANOS || i - dropped(guest) < FRAMES_MIN; i++) {
                    guest.send(n1, new byte[i % 100 == 0 ? Transport.FRAME_LENGTH_MAX : 100]);
                    if (i % 32 == 0) {
                        // As many as a transport holds are on their way.
                        LockSupport.parkNanos(100_000);
                    }
                }
            }
            // What the burst has cost shows when the lease would be over.
            LockSupport.parkNanos(LEASE_NANOS);
            assertHasKeptItsLease(leader, token);
        }
    }

    // Each handshake has the node sign something, whoever asks; its peers hold the connections that they have.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void handshakesOfStrangersCostNoLease(String transport, @TempDir Path directory) throws Exception {
        Certificates files = new Certificates(directory);
        Certificates.Identity authority = Certificates.authority("CN=authority");
        OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger handshakes = new AtomicInteger();
        ExecutorService strangers = Executors.newFixedThreadPool(STRANGERS);
        try (nodes) {
            for (String id : nodes.ids()) {
                Certificates.Identity own = authority
                        .signs("CN=" + id)
                        .uris("quorate://default/" + id)
                        .sign();
                nodes.start(
                        id,
                        member(nodes.addresses(), nodes.ids(), transport).tls(files.pem(own, authority.certificate())));
            }
            LeaderLatch leader = nodes.latch("n1", PATH, "n1");
            nodes.awaitLeader(List.of(leader));
            long token = leader.fencingToken();
            nodes.client("n1").getConnectionStateListenable().addListener((client, state) -> states.add(state));
            TlsProbe n1 = new TlsProbe(nodes.addresses().get("n1"));
            for (int i = 0; i < STRANGERS; i++) {
                strangers.execute(() -> {
                    while (!isOver.get()) {
                        if (n1.begins()) {
                            handshakes.incrementAndGet();
                        }
                    }
                });
            }
            LockSupport.parkNanos(LEASE_NANOS);
            isOver.set(true);
            System.out.printf("%s: %d handshakes of strangers within a lease%n", transport, handshakes.get());
            assertThat(handshakes).hasPositiveValue();
            assertHasKeptItsLease(leader, token);
        } finally {
            isOver.set(true);
            strangers.shutdownNow();
        }
    }

    /** Hangs in each write that is not the first: that one is part of the start. */
    private static final class HangingStore implements TermStore {
        private final CountDownLatch hangs = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private boolean isStarted;

        @Override
        public boolean isDurable() {
            return true;
        }

        @Override
        public Stored open() {
            return Stored.NOTHING;
        }

        @Override
        public void store(Stored next) {
            if (isStarted) {
                hangs.countDown();
                try {
                    goesOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            isStarted = true;
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    // The voter cannot vote in new terms meanwhile; it supports, and loses nobody.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void aDiskThatHangsAtOneVoterCostsNoLease(String transport, @TempDir Path directory) throws Exception {
        HangingStore disk = new HangingStore();
        OneJvm nodes = new OneJvm("ballot", "n1", "n2", "n3");
        NodeSettings settings = new NodeSettings(
                "default",
                new NodeId("n3"),
                nodes.ids().stream().map(NodeId::new).toList(),
                new LeaseTiming(
                        Profile.DEFAULT.heartbeat().toNanos(),
                        Profile.DEFAULT.supportDuration().toNanos(),
                        ElectionSettings.DEFAULT_DRIFT_PERCENT),
                new Timing(Profile.DEFAULT.delta().toNanos()),
                RankOrder.JOIN_ORDER,
                0,
                false);
        ElectionDriver n3 = new ElectionDriver(
                settings,
                Optional.empty(),
                Plugins.algorithm("ballot"),
                transport(nodes, transport, "n3"),
                disk,
                Clock.SYSTEM,
                NodeEnvironment.REAL);
        try (nodes) {
            for (String id : List.of("n1", "n2")) {
                nodes.start(
                        id, member(nodes.addresses(), nodes.ids(), transport).dataDirectory(directory.resolve(id)));
            }
            LeaderLatch leader = nodes.latch("n1", PATH, "n1");
            nodes.awaitLeader(List.of(leader));
            long token = leader.fencingToken();
            n3.start();
            assertThat(disk.hangs.await(OneJvm.DEADLINE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            nodes.await("n3 is connected", () -> n3.connection() == Connection.CONNECTED);
            Queue<Connection> connections = new ConcurrentLinkedQueue<>();
            n3.addConnectionListener(connections::add);
            nodes.client("n1").getConnectionStateListenable().addListener((client, state) -> states.add(state));
            LockSupport.parkNanos(LEASE_NANOS);
            assertThat(connections).doesNotContain(Connection.LOST);
            assertThat(n3.describe()).as("it answers").contains("n3");
            assertHasKeptItsLease(leader, token);
        } finally {
            disk.goesOn.countDown();
            n3.close();
        }
    }

    // One call follows the other on the node's thread. Netty's loop would not look at its sockets for a second.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void callsWithoutAnEndLeaveTheSocketsTheirTurn(String transport) throws Exception {
        OneJvm nodes = new OneJvm("ballot", "n1", "guest");
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicReference<Transport> heardBy = new AtomicReference<>();
        Mailbox mailbox = NodeEnvironment.REAL.mailbox(
                "busy", Clock.SYSTEM, () -> heardBy.get().loop(), bug -> isOver.set(true));
        Queue<Integer> heard = new LinkedBlockingQueue<>();
        try (Transport n1 = transport(nodes, transport, "n1");
                Transport guest = transport(nodes, transport, "guest")) {
            heardBy.set(n1);
            n1.start((sender, frame) -> {
                mailbox.postFrame(frame.length, () -> heard.add(frame.length), () -> {});
                return true;
            });
            guest.start((sender, frame) -> true);
            mailbox.start(() -> {}, System::nanoTime, () -> {});
            // The connection comes about before.
            nodes.await("a first frame", () -> {
                guest.send(new NodeId("n1"), new byte[1]);
                return heard.contains(1);
            });
            mailbox.post(new Runnable() {
                @Override
                public void run() {
                    long begin = System.nanoTime();
                    while (System.nanoTime() - begin < TURN_NANOS) {
                        Thread.onSpinWait();
                    }
                    if (!isOver.get()) {
                        mailbox.post(this);
                    }
                }
            });
            long longest = 0;
            for (int i = 2; i <= EXCHANGES; i++) {
                int length = i;
                long begin = System.nanoTime();
                guest.send(new NodeId("n1"), new byte[length]);
                nodes.await("a frame of " + length + " bytes", () -> heard.contains(length));
                longest = Math.max(longest, System.nanoTime() - begin);
            }
            System.out.printf("%s: heard within %d ms beside calls without an end%n", transport, longest / 1_000_000);
            assertThat(longest).as("ns").isLessThan(SUSPICION_NANOS);
        } finally {
            isOver.set(true);
            mailbox.stop(() -> {});
        }
    }

    private static long dropped(Transport sender) {
        return sender instanceof TcpTransport tcp ? tcp.sendsDropped() : ((VertxTransport) sender).sendsDropped();
    }

    private static Transport guest(OneJvm nodes, String name) {
        Transport guest = transport(nodes, name, "guest");
        guest.start((sender, frame) -> true);
        return guest;
    }

    private static Transport transport(OneJvm nodes, String name, String self) {
        Map<NodeId, HostAndPort> addresses = new LinkedHashMap<>();
        nodes.addresses()
                .forEach((id, address) -> addresses.put(
                        new NodeId(id),
                        new HostAndPort("127.0.0.1", Integer.parseInt(address.substring(address.indexOf(':') + 1)))));
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow()
                .create(new TransportProvider.Settings("default", new NodeId(self), addresses));
    }
}
