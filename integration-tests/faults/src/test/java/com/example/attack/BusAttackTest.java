package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three nodes on the event bus, and somebody who can reach their ports and has neither certificate nor secret: what
 * connections alone can do, and frames that nobody may send. The leader stays with its token, the heap and the log stay
 * small, and so does the number of connections.
 */
@Tag("attacks")
class BusAttackTest {

    private static final Duration TIME = Duration.ofSeconds(8);
    private static final int THREADS = 4;
    private static final int SILENT = 1_000;
    private static final int FORGING = 300;
    /** 16, and four for each of two peers. */
    private static final int CONNECTIONS_MAX = 24;

    private static final int ATTEMPTS = 3;
    private static final int RECORDED_MIN = 4_000;
    private static final int COPIED = 4 << 20;
    /** Two nodes call again 0.2 s after a connection at the earliest, first without a word; a busy machine adds time. */
    private static final int CALLS_MAX = 2 * 2 * 5 * 8 * 2;

    @TempDir
    private Path directory;

    private AttackedCluster cluster;
    private AttackedCluster.Watch watch;

    /** From the address of the nodes, and from others. */
    private static final List<String> ADDRESSES = List.of("127.0.0.1", "127.0.0.77", Crowd.MANY);

    private interface Attack {
        void on(String node, String from);
    }

    @ParameterizedTest
    @EnumSource
    void aStrangerTakesNothing(Lock lock) throws Exception {
        conclusively(in -> attack(lock, in));
    }

    private interface Attempt {
        void in(Path directory) throws Exception;
    }

    private void conclusively(Attempt attempt) throws Exception {
        for (int number = 1; ; number++) {
            try {
                attempt.in(Files.createDirectory(directory.resolve("attempt-" + number)));
                return;
            } catch (AttackedCluster.Inconclusive e) {
                if (number == ATTEMPTS) {
                    throw e;
                }
                System.out.println("attempt " + number + ": " + e.getMessage());
            }
        }
    }

    private void attack(Lock lock, Path in) throws Exception {
        Lock.Keys keys = new Lock.Keys(lock, in);
        try (AttackedCluster attacked = new AttackedCluster(in, "vertx", keys::put)) {
            cluster = attacked;
            watch = attacked.watch(attacked.ids());
            byte[] hello = Crowd.clientHello();
            attack(lock + " recorded hellos", (node, from) -> flood(node, from, hello));
            attack(lock + " nothing at all", (node, from) -> stay(node, from, SILENT));
            attack(lock + " half handshakes", (node, from) -> stay(node, from, SILENT, hello));
            attack(lock + " lengths of 2 GB", (node, from) -> stay(node, from, SILENT, lengthOf2Gb()));
            attack(lock + " wrong MACs", this::forge);
            watch.isUnharmedInTheEnd();
            blamesNobody();
            attacked.electsAnother();
        }
    }

    /** Bytes that a process writes to each caller at the address of a stopped voter. */
    private enum Said {
        PONGS(new byte[] {1}),
        PIECES_OF_MESSAGES(new byte[] {0, 0, 0, 8, 2, 1, 0, 0}),
        NOTHING(new byte[0]);

        private final byte[] piece;

        Said(byte... piece) {
            this.piece = piece;
        }
    }

    @ParameterizedTest
    @EnumSource
    void impostorAtTheAddressOfAStoppedVoterTakesNothing(Lock lock) throws Exception {
        conclusively(in -> {
            Lock.Keys keys = new Lock.Keys(lock, in);
            try (AttackedCluster attacked = new AttackedCluster(in, "vertx", keys::put)) {
                cluster = attacked;
                String stopped = attacked.anotherThan(attacked.leader(attacked.ids()));
                attacked.jvm(stopped).kill();
                attacked.jvm(stopped).awaitExit();
                try (Impostor impostor = new Impostor(attacked.address(stopped))) {
                    attacked.await("nodes have called", () -> impostor.calls() > 1);
                    watch = attacked.watch(attacked.ids().stream()
                            .filter(id -> !id.equals(stopped))
                            .toList());
                    for (Said said : Said.values()) {
                        watch.isUnharmedBy(() -> isWorthNothing(impostor, lock, said));
                    }
                    watch.isUnharmedInTheEnd();
                }
                attacked.restart(stopped);
                attacked.electsAnother();
            }
        });
    }

    private static void isWorthNothing(Impostor impostor, Lock lock, Said said) {
        impostor.says(said.piece);
        Awaitility.await().pollDelay(TIME).atMost(TIME.multipliedBy(60)).until(() -> true);
        System.out.printf(
                "event bus, %s, impostor that says %s: called %d times, has written %d pieces%n",
                lock, said, impostor.calls(), impostor.pieces());
        assertThat(impostor.calls()).isBetween(1, CALLS_MAX);
    }

    @ParameterizedTest
    @EnumSource(names = {"NOTHING", "SECRET"})
    void recordedFramesTakeNothing(Lock lock) throws Exception {
        conclusively(in -> {
            Lock.Keys keys = new Lock.Keys(lock, in);
            Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
            Map<String, Line> lines = new TreeMap<>();
            try {
                for (Map.Entry<String, String> node : addresses.entrySet()) {
                    lines.put(node.getKey(), new Line(node.getValue()));
                }
                try (AttackedCluster attacked = new AttackedCluster(in, "vertx", addresses, (node, properties) -> {
                    keys.put(node, properties);
                    lines.forEach((other, line) -> {
                        if (!other.equals(node)) {
                            properties.setProperty(
                                    "quorate.peers",
                                    properties
                                            .getProperty("quorate.peers")
                                            .replace(addresses.get(other), line.address()));
                        }
                    });
                })) {
                    cluster = attacked;
                    watch = attacked.watch(attacked.ids());
                    Line line = lines.get(watch.leader());
                    attacked.await("enough is recorded", () -> line.recorded().length >= RECORDED_MIN);
                    byte[] recorded = line.recorded();
                    byte[] first = Arrays.copyOf(
                            recorded, 4 + ByteBuffer.wrap(recorded).getInt());
                    attack(lock + " copies of one frame", (node, from) -> flood(node, from, repeated(first)));
                    attack(lock + " copies of a session", (node, from) -> flood(node, from, repeated(recorded)));
                    watch.isUnharmedInTheEnd();
                    blamesNobody();
                    attacked.electsAnother();
                }
            } finally {
                for (Line line : lines.values()) {
                    line.close();
                }
            }
        });
    }

    /** Far more than a node reads of one connection at one time. */
    private static byte[] repeated(byte[] recorded) {
        ByteBuffer copies = ByteBuffer.allocate(COPIED - COPIED % recorded.length);
        while (copies.hasRemaining()) {
            copies.put(recorded);
        }
        return copies.array();
    }

    // Nothing is weighed here: to collect all garbage takes a node longer than such a lease.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void aLeaseOf150MillisecondsIsKept(Lock lock) throws Exception {
        Lock.Keys keys = new Lock.Keys(lock, directory);
        try (AttackedCluster attacked = new AttackedCluster(directory, "vertx", (node, properties) -> {
            keys.put(node, properties);
            properties.remove("quorate.support");
            properties.setProperty("quorate.profile", "FAST");
        })) {
            cluster = attacked;
            byte[] hello = Crowd.clientHello();
            List<Attack> attacks = List.of((node, address) -> flood(node, address, hello), this::forge);
            warm(attacks);
            OneCore.during(() -> {
                for (String from : ADDRESSES) {
                    attacks.forEach(attack -> isKept(attack, from));
                }
            });
        }
    }

    // What a JVM does for the first time it does in cold code: in its first seconds such a lease is lost by that alone.
    private void warm(List<Attack> attacks) {
        for (String node : cluster.ids()) {
            attacks.forEach(attack -> attack.on(node, Crowd.MANY));
        }
    }

    /** A machine that stands still for a moment ends such a lease by itself. An attack that harms does so each time. */
    private void isKept(Attack attack, String from) {
        for (int number = 1; ; number++) {
            String leader = cluster.leader(cluster.ids());
            int before = ends();
            Processors begun = Processors.now(cpu());
            attack.on(leader, from);
            double others = Processors.now(cpu()).othersSince(begun);
            int ended = ends() - before;
            if (ended == 0) {
                return;
            }
            // What else a machine has to do ends such a lease as well.
            Assumptions.assumeTrue(others < Processors.OTHERS_MAX, () -> others + " processors of others");
            assertThat(number)
                    .as("attempts in which leases ran out; %s", cluster)
                    .isLessThan(ATTEMPTS);
            System.out.printf("attempt %d: %d leases have run out%n", number, ended);
        }
    }

    private int ends() {
        return cluster.ids().stream()
                .mapToInt(id -> cluster.timesLogged(id, "no longer leads"))
                .sum();
    }

    private Duration cpu() {
        return cluster.ids().stream().map(cluster::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    private void attack(String name, Attack attack) {
        for (String from : ADDRESSES) {
            Duration before = cluster.cpu(watch.leader());
            long begun = System.nanoTime();
            watch.isUnharmedBy(() -> attack.on(watch.leader(), from));
            System.out.printf(
                    "event bus, %s from %s: the leader has used %.2f processors%n",
                    name,
                    from,
                    (double) cluster.cpu(watch.leader()).minus(before).toNanos() / (System.nanoTime() - begun));
        }
    }

    private void blamesNobody() {
        for (String id : cluster.ids()) {
            assertThat(cluster.ids())
                    .as("whom %s blames; %s", id, cluster)
                    .noneMatch(node -> cluster.hasLogged(id, " of " + node + " (incarnation"))
                    .noneMatch(node -> cluster.hasLogged(id, "second process"));
        }
    }

    /** Connections that come and go as fast as they can. */
    private void flood(String node, String from, byte[] said) {
        AtomicLong count = new AtomicLong();
        CountDownLatch done = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                try (Crowd crowd = new Crowd(cluster.address(node))) {
                    count.addAndGet(crowd.flood(from, said, TIME));
                } finally {
                    done.countDown();
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        try {
            assertThat(done.await(600, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        System.out.printf("event bus: %d connections in %d s%n", count.get(), TIME.toSeconds());
    }

    /** Connections that stay as long as the node lets them. */
    private void stay(String node, String from, int connections, byte... said) {
        try (Crowd crowd = new Crowd(cluster.address(node)).stay(connections, from, said)) {
            assertThat(crowd.left()).as("connections that stay").isLessThanOrEqualTo(CONNECTIONS_MAX);
            cluster.await("none stays", () -> crowd.left() == 0);
        }
    }

    private static byte[] lengthOf2Gb() {
        return new byte[] {0x7f, -1, -1, -1, 2, 11, 0, 0};
    }

    /** Frames that have the form of the library, and whose MAC is wrong or missing, on many connections at one time. */
    private void forge(String node, String from) {
        byte[] message = message(node, Mac.wrongBehind(longFrame(node)));
        long end = System.nanoTime() + TIME.toNanos();
        List<Crowd> crowds = new ArrayList<>();
        int taken = 0;
        try {
            while (System.nanoTime() - end < 0) {
                Crowd crowd = new Crowd(cluster.address(node)).stay(FORGING, from);
                crowds.add(crowd);
                for (int last = 1; last > 0 && System.nanoTime() - end < 0; taken += last) {
                    last = crowd.say(message);
                }
            }
            cluster.await(
                    "none stays", () -> crowds.stream().mapToInt(Crowd::left).sum() == 0);
        } finally {
            crowds.forEach(Crowd::close);
        }
        System.out.printf("event bus: %d forged frames of 64 kB were written%n", taken);
    }

    private static byte[] longFrame(String node) {
        byte[] frame = Forger.frame('S', AttackedCluster.CLUSTER, "mallory", node, 1, 1, Forgeries.heartbeat(1, 0));
        return Arrays.copyOf(frame, 64_000);
    }

    /** As the event bus carries it. */
    private static byte[] message(String node, byte[] frame) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] sender = "mallory".getBytes(StandardCharsets.US_ASCII);
        byte[] address = ("quorate." + node).getBytes(StandardCharsets.US_ASCII);
        int length = 3 + 4 + address.length + 4 + 4 + sender.length + 4 + 4 + 1 + sender.length + frame.length;
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(length);
            out.write(new byte[] {2, 11, 0});
            out.writeInt(address.length);
            out.write(address);
            out.writeInt(0);
            out.writeInt(sender.length);
            out.write(sender);
            out.writeInt(4);
            out.writeInt(1 + sender.length + frame.length);
            out.writeByte(sender.length);
            out.write(sender);
            out.write(frame);
        } catch (IOException e) {
            throw new AssertionError("in memory", e);
        }
        return bytes.toByteArray();
    }
}
