package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.attack.Forger.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes over the transport {@code tcp}, and somebody who can reach their ports; under TLS also a member with a
 * certificate of its own. Whatever comes to a port, the leader stays, no other one leads, the heap does not grow, and
 * the log stays readable.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(600)
abstract class TcpAttacks {

    private static final int HALF_OPEN = 1_000;
    private static final int SLOW = 200;
    private static final int NAMES = 600;
    private static final int FLOOD = 2_000;
    private static final int LONG_PATHS = 20_000;
    private static final int WELCOME = 2;
    private static final int DATA = 3;
    private static final String CLUSTER = AttackedCluster.CLUSTER;
    private static final String MALLORY = "mallory";

    private final Lock lock;
    /** A handshake costs both sides some milliseconds. */
    private final int rounds;

    private AttackedCluster cluster;
    private Optional<SSLSocketFactory> member;

    TcpAttacks(Lock lock) {
        this.lock = lock;
        this.rounds = lock == Lock.TLS ? 25 : 100;
    }

    @BeforeAll
    void elect(@TempDir Path directory) throws Exception {
        Lock.Keys keys = new Lock.Keys(lock, directory);
        cluster = new AttackedCluster(directory, "tcp", keys::put);
        member = keys.member(MALLORY);
    }

    @AfterAll
    void anotherIsElected() {
        try (AttackedCluster ending = cluster) {
            ending.electsAnother();
        }
    }

    /** An attack on one node. */
    private interface Attack {
        void on(String node, String address) throws IOException;
    }

    @TestFactory
    Stream<DynamicTest> harmsNobody() {
        Stream<DynamicTest> attacks = Stream.of(
                attack("a length of 2 GB", this::lengths),
                attack("a length of 2 GB after admission", this::admittedLengths),
                attack("random bytes", this::randomBytes),
                attack("each byte of the greeting flipped", this::flippedBytes),
                attack("HTTP", this::http),
                attack("half-open connections", this::halfOpen),
                attack("slow connections", this::slow),
                attack("from = to", this::fromIsTo),
                attack("impostors", this::impostors),
                attack("many names", this::manyNames),
                attack("lines of a log", this::wrongNames),
                attack("pings without end", this::pings),
                attack("long frames without end", this::flood),
                attack("forged frames in its own name", (node, address) -> forgeries(MALLORY, node, address)),
                attack("many long paths", this::longPaths));
        return lock == Lock.NOTHING
                ? attacks
                : Stream.concat(attacks, Stream.of(attack("forged frames in the name of members", (node, address) -> {
                    for (String other : cluster.ids()) {
                        forgeries(other, node, address);
                    }
                })));
    }

    private DynamicTest attack(String name, Attack attack) {
        return DynamicTest.dynamicTest(
                name,
                () -> cluster.isUnharmedBy(cluster.ids(), () -> {
                    for (String node : cluster.ids()) {
                        try {
                            attack.on(node, cluster.address(node));
                        } catch (IOException e) {
                            throw new AssertionError("the attack itself failed", e);
                        }
                    }
                }));
    }

    // ---------------------------------------------------------------- from outside

    private void lengths(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write((byte) 0x7f, (byte) -1, (byte) -1, (byte) -1, (byte) 3);
                stranger.write(new byte[10_000]);
            }
        }
    }

    private void randomBytes(String node, String address) {
        Random random = new Random(42);
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(bytes);
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(bytes);
            }
            try (Stranger stranger = admitted(node, address)) {
                // A frame of the right form, with nothing right in it.
                stranger.write(Stranger.frame(DATA, bytes));
                stranger.write(bytes);
            }
        }
    }

    private void http(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(("GET /\u001b[31m HTTP/1.1\r\nHost: " + address + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    /** Under TLS these are handshakes that never begin. */
    private void halfOpen(String node, String address) {
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < HALF_OPEN; i++) {
            strangers.add(new Stranger(address));
        }
        strangers.forEach(Stranger::close);
    }

    private void slow(String node, String address) {
        byte[] hello = Stranger.hello(CLUSTER, MALLORY, node);
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < SLOW; i++) {
            strangers.add(new Stranger(address));
        }
        for (byte each : hello) {
            strangers.forEach(stranger -> stranger.write(each));
        }
        strangers.forEach(Stranger::close);
    }

    // ---------------------------------------------------------------- from inside

    private Stranger greeting(String from, String to, String address) {
        Stranger stranger = new Stranger(address, member);
        stranger.write(Stranger.hello(CLUSTER, from, to));
        return stranger;
    }

    private Stranger admitted(String node, String address) {
        Stranger stranger = greeting(MALLORY, node, address);
        stranger.answer();
        return stranger;
    }

    private void admittedLengths(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = admitted(node, address)) {
                stranger.write((byte) 0x7f, (byte) -1, (byte) -1, (byte) -1, (byte) 3);
                stranger.write(new byte[100_000]);
            }
        }
    }

    private void flippedBytes(String node, String address) {
        byte[] hello = Stranger.hello(CLUSTER, MALLORY, node);
        for (int i = 0; i < hello.length; i++) {
            byte[] flipped = hello.clone();
            flipped[i] ^= (byte) 0x55;
            try (Stranger stranger = new Stranger(address, member)) {
                stranger.write(flipped);
            }
        }
    }

    private void fromIsTo(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = greeting(node, node, address)) {
                stranger.answer();
                stranger.write(Stranger.frame(DATA, new byte[100]));
            }
        }
    }

    /** Says that it is another node, which lives: the node's connection with that one stays. */
    private void impostors(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            for (String other : cluster.ids()) {
                try (Stranger stranger = greeting(other, node, address)) {
                    stranger.answer();
                }
            }
        }
    }

    private void manyNames(String node, String address) {
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            strangers.add(greeting("name-" + i, node, address));
        }
        strangers.forEach(Stranger::close);
    }

    private void wrongNames(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = new Stranger(address, member)) {
                stranger.write(Stranger.hello("x\n[main] ERROR forged \u001b[31m" + i, MALLORY, node));
            }
        }
    }

    /** Asks for signs of life without end and reads none of them. */
    private void pings(String node, String address) {
        try (Stranger stranger = greeting(MALLORY, node, address)) {
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
    private void flood(String node, String address) {
        try (Stranger stranger = admitted(node, address)) {
            byte[] longest = new byte[65_536];
            longest[0] = 'Q';
            longest[1] = 2;
            byte[] frame = Stranger.frame(DATA, longest);
            for (int i = 0; i < FLOOD; i++) {
                if (!stranger.write(frame)) {
                    break;
                }
            }
        }
    }

    // ---------------------------------------------------------------- what only the lease can bear

    /** One that the node has let in. It does not let in too many at a time. */
    private Stranger awaitAdmission(String node, String address) {
        Stranger[] last = new Stranger[1];
        cluster.await("the node takes another connection", () -> {
            last[0] = greeting(MALLORY, node, address);
            boolean isAdmitted = last[0].answer() == WELCOME;
            if (!isAdmitted) {
                last[0].close();
            }
            return isAdmitted;
        });
        return last[0];
    }

    /** Hand-overs, goodbyes, adopted lives and claims with numbers as large as they can be. */
    private void forgeries(String from, String node, String address) {
        try (Stranger stranger = awaitAdmission(node, address)) {
            long sequence = 0;
            for (long life : new long[] {1, System.currentTimeMillis() + 1_000, Long.MAX_VALUE}) {
                for (long n : Forgeries.NUMBERS) {
                    for (Bytes forgery : Forgeries.all(AttackedNode.PATH, n)) {
                        for (char first : new char[] {'Q', 'S'}) {
                            byte[] frame = Forger.frame(first, CLUSTER, from, node, life, ++sequence, forgery);
                            stranger.write(Stranger.frame(DATA, frame));
                        }
                    }
                }
            }
            assertThat(stranger.write(Stranger.frame(DATA, new byte[3])))
                    .as("frames of the right form leave the connection open")
                    .isTrue();
        }
    }

    private void longPaths(String node, String address) {
        try (Stranger stranger = awaitAdmission(node, address)) {
            for (int i = 0; i < LONG_PATHS; i++) {
                stranger.write(Stranger.frame(
                        DATA,
                        Forger.frame(
                                'Q',
                                CLUSTER,
                                MALLORY,
                                node,
                                1,
                                i + 1L,
                                Forgeries.heartbeat(i + 1, 0),
                                Bytes.of(Forgeries.CLAIM)
                                        .text("/" + "p".repeat(1_500) + i)
                                        .numbers(1, i))));
            }
        }
    }
}
