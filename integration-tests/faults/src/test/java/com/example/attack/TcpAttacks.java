package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.attack.Forger.Bytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes over the transport {@code tcp}, and somebody who can reach their ports; under TLS also a member with a
 * certificate of its own. Whatever comes to a port, the leader stays, no other one leads, the heap does not grow, and
 * the log stays readable.
 */
abstract class TcpAttacks {

    private static final int HALF_OPEN = 1_000;
    private static final int SLOW = 200;
    /** More than a node keeps of contenders. */
    private static final int NAMES = 600;

    private static final int ATTEMPTS = 500;
    /** Of those that forge blindly, so many frames are dropped at least; more are sent. */
    private static final int BLIND = 350;
    /** Of so many lives a frame waits. */
    private static final int HELD = 64;

    private static final int FLOOD = 2_000;
    private static final int ADMITTED_ROUNDS = 10;
    /** A node takes a hundred connections a second from strangers. */
    private static final long PACE_NANOS = 10_000_000;

    /** The code of the answer to who is named otherwise than its certificate says. */
    private static final int CERTIFICATE = 8;
    /** A good frame is handled and answered; far above what is measured, because machines are busy. */
    private static final double FORGED_BY_GOOD_MAX = 2;

    private static final String CLUSTER = AttackedCluster.CLUSTER;
    private static final String MALLORY = "mallory";
    /** A contender of good repute, so far. */
    private static final String EVE = "eve";

    private final Lock lock;
    /** A handshake costs both sides some milliseconds. */
    private final int rounds;

    private AttackedCluster cluster;
    private AttackedCluster.Watch watch;
    private FrameAttacks frames;
    private Lock.Keys keys;
    private Optional<SSLSocketFactory> member;
    private Optional<SSLSocketFactory> eve;
    /** Who attacks from inside has the secret, or stands between two that have it: so greetings are let in. */
    private Optional<Mac> greetings;

    TcpAttacks(Lock lock) {
        this.lock = lock;
        this.rounds = lock.hasTls() ? 25 : 100;
    }

    /** One test, because a machine that stalls voids the whole story. It begins again then, with other nodes. */
    @Test
    void attacksDoNotHarm(@TempDir Path directory) throws Throwable {
        keys = new Lock.Keys(lock, directory);
        try (AttackedCluster nodes = new AttackedCluster(directory, "tcp", keys::put)) {
            prepare(nodes);
            for (DynamicTest attack : attacks()) {
                try {
                    attack.getExecutable().execute();
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(attack.getDisplayName(), e);
                }
            }
            end();
            nodes.electsAnother();
        }
    }

    private void prepare(AttackedCluster nodes) throws Exception {
        cluster = nodes;
        member = keys.member(MALLORY);
        eve = keys.member(EVE);
        greetings = lock.hasSecret() ? Optional.of(Mac.ofGreetings(keys.secret())) : Optional.empty();
        watch = cluster.watch(cluster.ids());
        frames = new FrameAttacks(
                cluster, (from, node) -> awaitAdmission(from, node).mixing(good(from, node)));
    }

    private void end() {
        watch.isUnharmedInTheEnd();
        if (lock.hasSecret()) {
            // Over TLS the certificate says who sends what nobody can read.
            String sender = lock.hasTls() ? "node mallory" : "an unknown sender";
            frames.isSaid("frames without a MAC of " + sender + " are dropped");
            frames.isSaid("frames of " + sender + " are dropped, whose MAC");
        } else if (lock.hasTls()) {
            frames.isSaid("are dropped as forged");
        }
    }

    /** An attack on one node. */
    private interface Attack {
        void on(String node, String address);
    }

    private List<DynamicTest> attacks() {
        List<DynamicTest> attacks = new ArrayList<>(List.of(
                attack("a length of 2 GB", this::lengths),
                attack("a length of 2 GB after admission", this::admittedLengths),
                attack("random bytes", this::randomBytes),
                attack("each byte of the greeting flipped", this::flippedBytes),
                attack("HTTP", this::http),
                attack("half-open connections", this::halfOpen),
                attack("slow connections", this::slow),
                attack("from = to", this::fromIsTo),
                attack("impostors", this::impostors),
                DynamicTest.dynamicTest(
                        "many names",
                        () -> watch.isUnharmedBy(() -> manyNames(watch.leader(), cluster.address(watch.leader())))),
                attack("lines of a log", this::wrongNames),
                attack("pings without end", this::pings),
                attack("long frames without end", this::flood),
                attackByFrames("random frames", (lane, node) -> FrameAttacks.random(lane)),
                attackByFrames(
                        "forged frames in its own name",
                        lock.hasSecret() ? "other-secret" : "unproved-life",
                        BLIND,
                        (lane, node) -> forgeries(lane, MALLORY, node)),
                attackByFrames("frames of many names", ofAnyName(), NAMES - 2 * HELD, FrameAttacks::manyNames),
                attackByFrames(
                        "frames of other clusters",
                        lock.hasSecret() ? "without-mac" : "other-cluster",
                        BLIND / 4,
                        FrameAttacks::wrongNames),
                attackByFrames("forged frames in the name of members", ofAnyName(), BLIND, (lane, node) -> {
                    for (String other : cluster.ids()) {
                        if (!other.equals(node)) {
                            forgeries(lane, other, node);
                        }
                    }
                })));
        if (!lock.hasTls()) {
            attacks.add(attackByFrames(
                    "guesses in the name of a member",
                    (lane, node) -> frames.guesses(lane, cluster.anotherThan(node), node, mac())));
        }
        attacks.add(attackByFrames(
                "questions without end", (lane, node) -> FrameAttacks.questions(lane, heard(lane, node), node)));
        attacks.add(attackByFrames("forged frames of who is heard", (lane, node) -> {
            FrameAttacks.heardForgeries(lane, heard(lane, node));
            cluster.await("it says so", () -> cluster.hasLogged(node, "of mallory (incarnation"));
        }));
        attacks.add(attackByFrames("many long paths", (lane, node) -> frames.longPaths(lane, heard(lane, node), node)));
        if (lock.hasTls()) {
            // Before the others invent lives.
            attacks.add(
                    0,
                    DynamicTest.dynamicTest(
                            "goodbyes of a member in the name of the others",
                            () -> watch.isUnharmedBy(() -> goodbyes(watch.leader()))));
        }
        if (lock.hasSecret()) {
            attacks.add(attack("frames before a greeting", this::unaskedFrames));
            attacks.add(attackByFrames("a flood under another secret", FrameAttacks::underAnotherSecret));
            attacks.add(DynamicTest.dynamicTest(
                    "a forged frame costs no more than a good one",
                    () -> watch.isUnharmedBy(() -> assertThat(frames.costOfAForgedFrame(keys.secret(), watch.leader()))
                            .isLessThan(FORGED_BY_GOOD_MAX))));
        }
        return attacks;
    }

    private static void forgeries(Lane lane, String from, String node) {
        FrameAttacks.forgeries(lane, from, node, 1, System.currentTimeMillis() + 1_000, Long.MAX_VALUE);
    }

    /** Under which reason a node drops frames of any name that mallory has no proof for. */
    private String ofAnyName() {
        return switch (lock) {
            case NOTHING -> "unproved-life";
            case SECRET, BOTH -> "without-mac";
            case TLS -> "forged";
        };
    }

    /** Of somebody who may speak, and has not shown that it lives. */
    private byte[] good(String from, String node) {
        byte[] frame =
                Forger.frame(lock.hasSecret() ? 'S' : 'Q', CLUSTER, from, node, 77, 1, Forgeries.heartbeat(1, 0));
        return sealed(frame);
    }

    private byte[] sealed(byte[] frame) {
        return mac().map(secret -> secret.appendedTo(frame)).orElse(frame);
    }

    /** Mallory as one who shows that it lives; if there is a secret, it has it. */
    private Voice heard(Lane lane, String node) {
        return Voice.heard(lane, MALLORY, node, mac());
    }

    private Optional<Mac> mac() {
        return lock.hasSecret() ? Optional.of(Mac.of(keys.secret())) : Optional.empty();
    }

    /** One of which each node drops so many frames for this reason. */
    private DynamicTest attackByFrames(String name, String reason, int min, FrameAttacks.Attack attack) {
        return attackByFrames(
                name,
                (lane, node) -> frames.isDropped(List.of(node), reason, min, () -> {
                    attack.over(lane, node);
                    assertThat(lane.isRead()).as("%s reads", node).isTrue();
                }));
    }

    private DynamicTest attackByFrames(String name, FrameAttacks.Attack attack) {
        return attack(name, (node, address) -> frames.attack(MALLORY, node, attack));
    }

    private DynamicTest attack(String name, Attack attack) {
        return DynamicTest.dynamicTest(
                name,
                () -> watch.isUnharmedBy(() -> cluster.ids().forEach(node -> attack.on(node, cluster.address(node)))));
    }

    // ---------------------------------------------------------------- from outside

    private void lengths(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write((byte) 0x7f, (byte) -1, (byte) -1, (byte) -1, (byte) 3);
                stranger.write(new byte[2_000]);
                isClosed(stranger, node);
            }
        }
    }

    private static void isClosed(Stranger stranger, String node) {
        assertThat(stranger.isClosed()).as("%s does not wait for more", node).isTrue();
    }

    private void randomBytes(String node, String address) {
        Random random = new Random(42);
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(bytes);
            try (Stranger stranger = new Stranger(address)) {
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

    /** From an address at which no node is, and from that of the nodes, by turns. */
    private static Stranger stranger(int number, String address) {
        return number % 2 == 0 ? new Stranger(address) : new Stranger("127.0.0.1", address, Optional.empty());
    }

    /** Frames of the right form on a connection that nobody has let in. */
    private void unaskedFrames(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = new Stranger(address)) {
                byte[] frame = Mac.wrongBehind(
                        Forger.frame('S', CLUSTER, MALLORY, node, 1, i + 1L, Forgeries.heartbeat(1, 0)));
                for (int j = 0; j < 100 && stranger.frame(MALLORY, frame); j++) {
                    // As many as it takes.
                }
            }
        }
    }

    /** Under TLS these are handshakes that never begin. */
    private void halfOpen(String node, String address) {
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < HALF_OPEN; i++) {
            strangers.add(stranger(i, address));
        }
        strangers.forEach(Stranger::close);
    }

    private void slow(String node, String address) {
        byte[] hello = Stranger.hello(CLUSTER, MALLORY, node);
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < SLOW; i++) {
            strangers.add(stranger(i, address));
        }
        for (byte each : hello) {
            strangers.forEach(stranger -> stranger.write(each));
        }
        strangers.forEach(Stranger::close);
    }

    // ---------------------------------------------------------------- from inside

    private Stranger greeting(String from, String to, String address) {
        return greeting(member, from, to, address);
    }

    private Stranger greeting(Optional<SSLSocketFactory> as, String from, String to, String address) {
        Stranger stranger = new Stranger(address, as);
        stranger.greet(CLUSTER, from, to, lock.hasSecret());
        return stranger;
    }

    private Stranger awaitAdmission(String from, String node) {
        return awaitAdmission(member, from, node);
    }

    /** One that the node has let in, which it may do with the next connection only. */
    private Stranger awaitAdmission(Optional<SSLSocketFactory> as, String from, String node) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Stranger stranger = greeting(as, from, node, cluster.address(node));
            if (stranger.answer(greetings) == Stranger.ADMITTED) {
                return stranger;
            }
            stranger.close();
            LockSupport.parkNanos(PACE_NANOS);
        }
        throw new AssertionError(node + " does not let " + from + " in: " + cluster);
    }

    /**
     * A member that is heard learns the lives of the others from their answers. Then it says goodbye for them, under a
     * sequence that makes all that they really say old: whoever believed it would hear no voter any more.
     */
    private void goodbyes(String leader) {
        List<String> others =
                cluster.ids().stream().filter(id -> !id.equals(leader)).toList();
        frames.isDropped(List.of(leader), "forged", others.size(), () -> {
            try (Stranger lying = awaitAdmission(eve, EVE, leader)) {
                long leading = Voice.heard(lying, EVE, leader, mac()).theirs();
                for (String other : others) {
                    try (Stranger asking = awaitAdmission(eve, EVE, other)) {
                        long life = Voice.heard(asking, EVE, other, mac()).theirs();
                        byte[] goodbye = Forger.frame(
                                lock.hasSecret() ? 'S' : 'Q',
                                new Forger.Head(other, leader, life, leading, 1L << 40, 0, 0),
                                Bytes.of(Forgeries.GOODBYE));
                        assertThat(lying.frame(EVE, sealed(goodbye))).isTrue();
                        assertThat(lying.isRead())
                                .as("%s has read it; %s", leader, cluster)
                                .isTrue();
                    }
                }
            }
        });
    }

    private void admittedLengths(String node, String address) {
        for (int i = 0; i < ADMITTED_ROUNDS; i++) {
            try (Stranger stranger = awaitAdmission(MALLORY, node)) {
                stranger.write((byte) 0x7f, (byte) -1, (byte) -1, (byte) -1, (byte) 3);
                stranger.write(new byte[100_000]);
                isClosed(stranger, node);
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
            LockSupport.parkNanos(PACE_NANOS);
        }
    }

    private void fromIsTo(String node, String address) {
        for (int i = 0; i < rounds; i++) {
            try (Stranger stranger = greeting(node, node, address)) {
                stranger.answer(greetings);
                stranger.frame(node, new byte[100]);
            }
        }
    }

    /** Says that it is another node, which lives: the node's connection with that one stays. */
    private void impostors(String node, String address) {
        int admitted = 0;
        int refused = 0;
        for (int i = 0; i < rounds; i++) {
            for (String other : cluster.ids()) {
                try (Stranger stranger = greeting(other, node, address)) {
                    int answer = stranger.answer(greetings);
                    admitted += answer == Stranger.ADMITTED ? 1 : 0;
                    refused += answer > Stranger.ADMITTED ? 1 : 0;
                }
            }
        }
        // One is let in while the other has said nothing for two seconds, which a busy machine can bring about.
        assertThat(admitted).as("impostors that %s has let in", node).isLessThan(rounds / 10);
        assertThat(refused).as("impostors that %s has refused", node).isGreaterThan(rounds / 10);
    }

    private void manyNames(String node, String address) {
        List<Stranger> strangers = new ArrayList<>();
        Map<Integer, Integer> answers = new TreeMap<>();
        // Under TLS each costs a handshake, and is refused.
        int names = lock.hasTls() ? NAMES / 6 : NAMES;
        for (int i = 0; i < names; i++) {
            int answer = Stranger.SILENCE;
            for (int j = 0; j < ATTEMPTS && answer == Stranger.SILENCE; j++) {
                Stranger stranger = greeting("name-" + i, node, address);
                strangers.add(stranger);
                answer = stranger.answer(greetings);
                LockSupport.parkNanos(answer == Stranger.SILENCE ? PACE_NANOS : 0);
            }
            answers.merge(answer, 1, Integer::sum);
        }
        strangers.forEach(Stranger::close);
        if (lock.hasTls()) {
            assertThat(answers).as("names that are not in the certificate").containsOnlyKeys(CERTIFICATE);
        } else {
            // More than are kept, because those that say nothing any more are closed meanwhile, and forgotten.
            assertThat(answers).containsOnly(Map.entry(Stranger.ADMITTED, NAMES));
        }
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
        try (Stranger stranger = awaitAdmission(MALLORY, node)) {
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
        try (Stranger stranger = awaitAdmission(MALLORY, node)) {
            byte[] longest = new byte[65_536];
            longest[0] = 'Q';
            longest[1] = 2;
            for (int i = 0; i < FLOOD; i++) {
                if (!stranger.frame(MALLORY, longest)) {
                    break;
                }
            }
        }
    }
}
