package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.process.ChildJvm;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.RealTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three JVMs on the event bus, and somebody who can reach their ports. Without a secret it forges frames under an id of
 * its own, and under that of a node that is stopped; under a secret, also those of nodes that live.
 */
class ForgedFramesTest {

    private static final String MALLORY = "mallory";
    /** A node that the others hear, whose frames keep connections open: Mallory sends them between hers. */
    private static final String PEGGY = "peggy";

    private static final long LIMIT = 1L << 62;
    private static final int ROUNDS = 20;
    private static final int SILENT = 1_000;
    private static final int SLOW = 200;
    /** A good frame is handled and answered; far above what is measured, because machines are busy. */
    private static final double FORGED_BY_GOOD_MAX = 2;

    private static final int ATTEMPTS = 3;
    /** Of each life that forges blindly, all frames but the one that waits; in three lives. */
    private static final int BLIND = 1_000;

    @TempDir
    private Path directory;

    /** A test, with its nodes and all. */
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

    private static FrameAttacks attacks(AttackedCluster cluster, Ear ear, Ear peggys, Optional<Mac> mac) {
        Map<String, Voice> heard = new HashMap<>();
        return new FrameAttacks(cluster, (name, node) -> {
            Voice peggy = heard.get(node);
            try (Lane lane = new Forger(node, cluster.address(node), Optional.of(peggys))) {
                if (peggy == null) {
                    peggy = Voice.heard(lane, PEGGY, node, mac);
                    heard.put(node, peggy);
                } else {
                    // A frame is news if it acknowledges something recent.
                    peggy.awaitHandled(lane);
                }
            }
            return new Forger(node, cluster.address(node), Optional.of(ear)).mixing(peggy::news);
        });
    }

    /** On the event bus only those are answered, and so heard, whose address the others know. */
    private static void knows(Properties properties, Map<String, String> others) {
        properties.setProperty("quorate.voters", "n1,n2,n3");
        others.forEach((name, address) -> properties.setProperty(
                "quorate.peers", properties.getProperty("quorate.peers") + "," + name + "=" + address));
    }

    private static String freeAddress() {
        return "127.0.0.1:" + FreePorts.take();
    }

    /** Under the rules of the library, by somebody who is heard. */
    private static void forgeHeard(
            FrameAttacks attacks, List<String> victims, String from, BiConsumer<Voice, Lane> first) {
        for (String victim : victims) {
            attacks.attack(MALLORY, victim, (lane, node) -> {
                Voice voice = Voice.heard(lane, from, node, Optional.empty());
                first.accept(voice, lane);
                FrameAttacks.heardForgeries(lane, voice);
            });
        }
    }

    /** In the name of voters that live. */
    private static void guess(FrameAttacks attacks, AttackedCluster cluster, Optional<Mac> mac) {
        for (String victim : cluster.ids()) {
            attacks.attack(
                    MALLORY, victim, (lane, node) -> attacks.guesses(lane, cluster.anotherThan(victim), node, mac));
        }
        for (String id : cluster.ids()) {
            assertThat(cluster.hasLogged(id, "second process"))
                    .as("%s", cluster)
                    .isFalse();
            assertThat(cluster.ids())
                    .as("whom %s blames; %s", id, cluster)
                    .noneMatch(voter -> cluster.hasLogged(id, " of " + voter + " (incarnation"));
        }
    }

    private static void question(FrameAttacks attacks, List<String> victims, Optional<Mac> mac) {
        for (String victim : victims) {
            attacks.attack(
                    MALLORY,
                    victim,
                    (lane, node) -> FrameAttacks.questions(lane, Voice.heard(lane, MALLORY, node, mac), node));
        }
    }

    /** What may come in any name. */
    private static void forge(FrameAttacks attacks, List<String> victims, String from, long... lives) {
        for (String victim : victims) {
            attacks.attack(MALLORY, victim, (lane, node) -> {
                FrameAttacks.forgeries(lane, from, node, lives);
                // In the receiver's own name.
                FrameAttacks.forgeries(lane, node, node, 1, Long.MAX_VALUE);
                lane.frame(from, new byte[] {1, 2, 3});
                lane.frame(from, new byte[0]);
            });
        }
    }

    private static void flood(FrameAttacks attacks, List<String> victims, String from) {
        for (String victim : victims) {
            attacks.attack(
                    MALLORY,
                    victim,
                    (lane, node) -> attacks.longPaths(lane, Voice.heard(lane, from, node, Optional.empty()), node));
        }
    }

    private static void strange(FrameAttacks attacks, List<String> victims) {
        for (String victim : victims) {
            attacks.attack(MALLORY, victim, (lane, node) -> FrameAttacks.random(lane));
            attacks.attack(MALLORY, victim, FrameAttacks::manyNames);
            attacks.attack(MALLORY, victim, FrameAttacks::wrongNames);
        }
    }

    @RealTime
    @Test
    void aStrangerHarmsNobody() throws Exception {
        conclusively(ForgedFramesTest::attackAsAStranger);
    }

    private static void attackAsAStranger(Path directory) throws Exception {
        Map<String, String> others = Map.of(MALLORY, freeAddress(), PEGGY, freeAddress());
        try (Ear ear = new Ear(others.get(MALLORY));
                Ear peggys = new Ear(others.get(PEGGY));
                AttackedCluster cluster =
                        new AttackedCluster(directory, "vertx", (node, properties) -> knows(properties, others))) {
            AttackedCluster.Watch watch = cluster.watch(cluster.ids());
            FrameAttacks attacks = attacks(cluster, ear, peggys, Optional.empty());
            // Before the others are answered: these answers are counted.
            watch.isUnharmedBy(() -> question(attacks, cluster.ids(), Optional.empty()));
            watch.isUnharmedBy(() -> strange(attacks, cluster.ids()));
            watch.isUnharmedBy(() -> attacks.isDropped(
                    cluster.ids(),
                    "unproved-life",
                    BLIND,
                    () -> forge(attacks, cluster.ids(), MALLORY, 1, 1_000, LIMIT)));
            watch.isUnharmedBy(() -> guess(attacks, cluster, Optional.empty()));
            watch.isUnharmedBy(() -> forgeHeard(attacks, cluster.ids(), MALLORY, (voice, lane) -> {}));
            attacks.isSaid("of mallory");
            attacks.isSaid("is not believed");
            watch.isUnharmedBy(() -> flood(attacks, cluster.ids(), MALLORY));
            watch.isUnharmedInTheEnd();
            cluster.electsAnother();
        }
    }

    @RealTime
    @Test
    void impostorOfAStoppedNodeHarmsNothingAndTheNodeReturns() throws Exception {
        conclusively(ForgedFramesTest::attackAsAStoppedNode);
    }

    private static void attackAsAStoppedNode(Path directory) throws Exception {
        Map<String, String> peggy = Map.of(PEGGY, freeAddress());
        try (Ear peggys = new Ear(peggy.get(PEGGY));
                AttackedCluster cluster =
                        new AttackedCluster(directory, "vertx", (node, properties) -> knows(properties, peggy))) {
            String leader = cluster.leader(cluster.ids());
            String stopped = cluster.anotherThan(leader);
            ChildJvm jvm = cluster.jvm(stopped);
            jvm.kill();
            // A process that is being killed still takes connections.
            jvm.awaitExit();
            List<String> others =
                    cluster.ids().stream().filter(id -> !id.equals(stopped)).toList();
            AttackedCluster.Watch watch = cluster.watch(others);
            assertThat(watch.leader()).isEqualTo(leader);
            long now = System.currentTimeMillis();
            try (Ear ear = new Ear(cluster.address(stopped))) {
                FrameAttacks attacks = attacks(cluster, ear, peggys, Optional.empty());
                watch.isUnharmedBy(() -> attacks.isDropped(
                        others,
                        "unproved-life",
                        BLIND,
                        () -> forge(attacks, others, stopped, now, now + 1_000, LIMIT)));
                watch.isUnharmedBy(() -> forgeHeard(attacks, others, stopped, Voice::awaitSupport));
                watch.isUnharmedBy(() -> flood(attacks, others, stopped));
                watch.isUnharmedInTheEnd();
            }
            cluster.restart(stopped);
            cluster.electsAnotherAfterALeap();
        }
    }

    @Test
    @Tag("attacks")
    void underASecretNobodyElseIsHeard() throws Exception {
        conclusively(ForgedFramesTest::attackUnderASecret);
    }

    private static void attackUnderASecret(Path directory) throws Exception {
        Lock.Keys keys = new Lock.Keys(Lock.SECRET, directory);
        Map<String, String> others = Map.of(MALLORY, freeAddress(), PEGGY, freeAddress());
        try (Ear ear = new Ear(others.get(MALLORY));
                Ear peggys = new Ear(others.get(PEGGY));
                AttackedCluster cluster = new AttackedCluster(directory, "vertx", (node, properties) -> {
                    keys.put(node, properties);
                    knows(properties, others);
                })) {
            AttackedCluster.Watch watch = cluster.watch(cluster.ids());
            Optional<Mac> right = Optional.of(Mac.of(keys.secret()));
            FrameAttacks attacks = attacks(cluster, ear, peggys, right);
            // Before the others are answered: these answers are counted.
            watch.isUnharmedBy(() -> question(attacks, cluster.ids(), right));
            watch.isUnharmedBy(() -> strange(attacks, cluster.ids()));
            for (String from : List.of(MALLORY, "n1", "n2", "n3")) {
                watch.isUnharmedBy(() -> attacks.isDropped(
                        cluster.ids(),
                        "other-secret",
                        BLIND,
                        () -> forge(attacks, cluster.ids(), from, 1, 1_000, LIMIT, Long.MAX_VALUE)));
            }
            watch.isUnharmedBy(
                    () -> attacks.isDropped(cluster.ids(), "other-secret", FrameAttacks.FLOOD, () -> cluster.ids()
                            .forEach(victim -> attacks.attack(MALLORY, victim, FrameAttacks::underAnotherSecret))));
            watch.isUnharmedBy(() -> guess(attacks, cluster, right));
            watch.isUnharmedBy(() -> cluster.ids().forEach(victim -> speaksAnotherLanguage(cluster.address(victim))));
            watch.isUnharmedBy(() -> wait(cluster, watch.leader()));
            watch.isUnharmedInTheEnd();
            attacks.isSaid("frames without a MAC of an unknown sender are dropped");
            attacks.isSaid("frames of an unknown sender are dropped, whose MAC");
            // Half of these frames are good, and on the event bus a member can keep a node busy.
            assertThat(attacks.costOfAForgedFrame(keys.secret(), watch.leader()))
                    .isLessThan(FORGED_BY_GOOD_MAX);
            cluster.electsAnother();
        }
    }

    /** Many connections that say nothing, and some that say a byte at a time: what they cost while they are there. */
    private static void wait(AttackedCluster cluster, String victim) {
        long before = cluster.heap(victim);
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < SILENT + SLOW; i++) {
            strangers.add(new Stranger(cluster.address(victim)));
        }
        for (int i = 0; i < 10; i++) {
            strangers.subList(SILENT, SILENT + SLOW).forEach(stranger -> stranger.write((byte) 0));
        }
        System.out.printf(
                "event bus: %d connections of strangers hold %d kB%n",
                strangers.size(), (cluster.heap(victim) - before) / 1024);
        strangers.forEach(Stranger::close);
    }

    /** HTTP, which is a wrong length, and random bytes behind a length that fits. */
    private static void speaksAnotherLanguage(String address) {
        Random random = new Random(42);
        for (int i = 0; i < ROUNDS; i++) {
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(("GET /\u001b[31m HTTP/1.1\r\nHost: " + address + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
            }
            byte[] bytes = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(bytes);
            try (Stranger stranger = new Stranger(address)) {
                stranger.write(Stranger.frame(2, bytes));
            }
        }
    }
}
