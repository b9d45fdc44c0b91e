package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.demo.Cluster;
import io.quorate.testkit.CapturedLog;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three clients over the transport {@code tcp}, and somebody who can reach their ports. Whatever comes to a port, the
 * leader stays, no other one leads, the heap does not grow, and the log stays readable.
 */
@Timeout(240)
class TcpAttackTest {

    private static final String PATH = "/attacked/leader";
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long HEAP_BYTES_MAX = 8L << 20;
    private static final int LINES_MAX = 9;

    private static final int ROUNDS = 200;
    private static final int HALF_OPEN = 1_000;
    private static final int SLOW = 200;
    private static final int NAMES = 600;
    private static final int FLOOD = 2_000;

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final Map<String, ElectionClient> clients = new LinkedHashMap<>();
    private final Map<String, LeaderLatch> latches = new LinkedHashMap<>();

    @BeforeEach
    void elect() throws Exception {
        for (String id : addresses.keySet()) {
            ElectionClient client = ElectionClient.builder()
                    .nodeId(id)
                    .clusterId("attacked")
                    .peers(addresses)
                    .transport("tcp")
                    .build();
            clients.put(id, client);
            client.start();
            LeaderLatch latch = new LeaderLatch(client, PATH, id);
            latches.put(id, latch);
            latch.start();
        }
        await("there is one leader", () -> leaders().size() == 1);
        await("all know it", () -> latches.values().stream().allMatch(latch -> participants(latch) == 3));
    }

    @AfterEach
    void close() {
        clients.values().forEach(ElectionClient::close);
    }

    private static int participants(LeaderLatch latch) {
        try {
            return latch.getParticipants().size();
        } catch (Exception e) {
            // Justification: getParticipants declares it; it is asked again.
            return 0;
        }
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(DEADLINE).until(condition);
    }

    private List<LeaderLatch> leaders() {
        return latches.values().stream().filter(LeaderLatch::hasLeadership).toList();
    }

    private static long heapInUse() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    // ---------------------------------------------------------------- attacks: on a node, at its address

    private static void lengths(String address) {
        for (int i = 0; i < ROUNDS; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write((byte) 0x7f, (byte) -1, (byte) -1, (byte) -1, (byte) 3);
                stranger.write(new byte[10_000]);
            }
        }
    }

    private static void admittedLengths(String node, String address) {
        for (int i = 0; i < ROUNDS; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(Stranger.hello("attacked", "mallory", node));
                stranger.answer();
                stranger.write((byte) 0x7f, (byte) -1, (byte) -1, (byte) -1, (byte) 3);
                stranger.write(new byte[100_000]);
            }
        }
    }

    private static void randomBytes(String node, String address) {
        Random random = new Random(42);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(bytes);
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(bytes);
            }
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(Stranger.hello("attacked", "mallory", node));
                stranger.answer();
                // A frame of the right form, with nothing right in it.
                stranger.write(Stranger.frame(3, bytes));
                stranger.write(bytes);
            }
        }
    }

    private static void flippedBytes(String node, String address) {
        byte[] hello = Stranger.hello("attacked", "mallory", node);
        for (int i = 0; i < hello.length; i++) {
            byte[] flipped = hello.clone();
            flipped[i] ^= (byte) 0x55;
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(flipped);
            }
        }
    }

    private static void http(String address) {
        for (int i = 0; i < ROUNDS; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(("GET /\u001b[31m HTTP/1.1\r\nHost: " + address + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static void halfOpen(String address) {
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < HALF_OPEN; i++) {
            strangers.add(new Stranger(address));
        }
        strangers.forEach(Stranger::close);
    }

    private static void slow(String node, String address) {
        byte[] hello = Stranger.hello("attacked", "mallory", node);
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < SLOW; i++) {
            strangers.add(new Stranger(address));
        }
        for (byte each : hello) {
            strangers.forEach(stranger -> stranger.write(each));
        }
        strangers.forEach(Stranger::close);
    }

    private void fromIsTo(String node, String address) {
        for (int i = 0; i < ROUNDS; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(Stranger.hello("attacked", node, node));
                stranger.answer();
                stranger.write(Stranger.frame(3, new byte[100]));
            }
        }
    }

    /** Says that it is another node, which lives: the node's connection with that one stays. */
    private void impostors(String node, String address) {
        for (int i = 0; i < ROUNDS; i++) {
            for (String other : addresses.keySet()) {
                try (Stranger stranger = new Stranger(address)) {
                    stranger.write(Stranger.hello("attacked", other, node));
                    stranger.answer();
                }
            }
        }
    }

    private static void manyNames(String node, String address) {
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            Stranger stranger = new Stranger(address);
            stranger.write(Stranger.hello("attacked", "name-" + i, node));
            strangers.add(stranger);
        }
        strangers.forEach(Stranger::close);
    }

    private static void wrongNames(String node, String address) {
        for (int i = 0; i < ROUNDS; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(Stranger.hello("x\n[main] ERROR forged \u001b[31m" + i, "mallory", node));
            }
        }
    }

    /** Asks for signs of life without end and reads none of them. */
    private static void pings(String node, String address) {
        try (Stranger stranger = new Stranger(address)) {
            stranger.write(Stranger.hello("attacked", "mallory", node));
            byte[] many = new byte[5 * 10_000];
            for (int i = 0; i < many.length; i += 5) {
                many[i + 3] = 1;
                many[i + 4] = 4;
            }
            for (int i = 0; i < 20; i++) {
                if (!stranger.write(many)) {
                    break;
                }
            }
        }
    }

    /** As many of the longest frames as the socket takes: the heartbeats of others arrive all the same. */
    private static void flood(String node, String address) {
        try (Stranger stranger = new Stranger(address)) {
            stranger.write(Stranger.hello("attacked", "mallory", node));
            stranger.answer();
            byte[] longest = new byte[65_536];
            longest[0] = 'Q';
            longest[1] = 2;
            byte[] frame = Stranger.frame(3, longest);
            for (int i = 0; i < FLOOD; i++) {
                if (!stranger.write(frame)) {
                    break;
                }
            }
        }
    }

    static Stream<Arguments> attacks() {
        return Stream.of(
                attack("a length of 2 GB", (test, node) -> lengths(test.address(node))),
                attack("a length of 2 GB after admission", (test, node) -> admittedLengths(node, test.address(node))),
                attack("random bytes", (test, node) -> randomBytes(node, test.address(node))),
                attack("each byte flipped", (test, node) -> flippedBytes(node, test.address(node))),
                attack("HTTP", (test, node) -> http(test.address(node))),
                attack("half-open connections", (test, node) -> halfOpen(test.address(node))),
                attack("slow connections", (test, node) -> slow(node, test.address(node))),
                attack("from = to", (test, node) -> test.fromIsTo(node, test.address(node))),
                attack("impostors", (test, node) -> test.impostors(node, test.address(node))),
                attack("many names", (test, node) -> manyNames(node, test.address(node))),
                attack("lines of a log", (test, node) -> wrongNames(node, test.address(node))),
                attack("pings without end", (test, node) -> pings(node, test.address(node))),
                attack("long frames without end", (test, node) -> flood(node, test.address(node))));
    }

    private static Arguments attack(String name, BiConsumer<TcpAttackTest, String> attack) {
        return Arguments.of(name, attack);
    }

    private String address(String node) {
        return addresses.get(node);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void harmsNobody(String name, BiConsumer<TcpAttackTest, String> attack) {
        LeaderLatch leader = leaders().get(0);
        long token = leader.fencingToken();
        long heapBefore = heapInUse();
        String log;
        List<String> lines;
        try (CapturedLog captured = new CapturedLog()) {
            addresses.keySet().forEach(node -> attack.accept(this, node));
            // What waits for a greeting is closed a second later.
            Awaitility.await()
                    .pollDelay(Duration.ofMillis(1_500))
                    .atMost(DEADLINE)
                    .until(() -> true);
            log = captured.text();
            lines = captured.text().lines().toList();
        }
        assertThat(heapInUse() - heapBefore).as("the heap has grown by").isLessThan(HEAP_BYTES_MAX);
        assertThat(leaders()).as(log).containsExactly(leader);
        assertThat(leader.fencingToken()).as(log).isEqualTo(token);
        // Of three nodes.
        assertThat(lines).hasSizeLessThanOrEqualTo(3 * LINES_MAX);
        for (String node : addresses.keySet()) {
            assertThat(lines.stream().filter(line -> line.contains(node + ":")))
                    .as(node)
                    .hasSizeLessThanOrEqualTo(LINES_MAX);
        }
        assertThat(log)
                .doesNotContain("\u001b")
                .doesNotContain("\n[main] ERROR forged")
                .doesNotContain("Exception");
        clients.get(leader.getId()).close();
        await("another leads", () -> leaders().size() == 1 && leaders().get(0).fencingToken() > token);
    }
}
