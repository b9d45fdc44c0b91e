package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.attack.Forger.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;

/**
 * What somebody can do to a node who has a connection to it: frames that no honest node sends. Each attack ends when
 * the node has read all of it; so none passes because nothing has arrived.
 */
final class FrameAttacks {

    private static final int NAMES = 600;
    private static final int LONG_PATHS = 20_000;
    /** What waits at a node at any time. On the event bus the heartbeats of others wait behind it. */
    private static final int LONG_PATHS_AT_ONCE = 1_000;

    private static final int RANDOM = 200;
    static final int FLOOD = 20_000;
    private static final int GUESSES = 30_000;
    /** Of so many lives a frame waits, and those that are behind at a moment. */
    private static final int HELD = 100;

    private static final int QUESTIONS = 2_000;
    private static final int QUESTIONS_AT_ONCE = 100;
    private static final int TURNS = 3;
    private static final String CLUSTER = AttackedCluster.CLUSTER;

    /** Makes what the attack sends. */
    interface Attack {
        void over(Lane lane, String node);
    }

    private final AttackedCluster cluster;
    private final BiFunction<String, String, Lane> lanes;

    /** @param lanes opens a connection of this name to this node */
    FrameAttacks(AttackedCluster cluster, BiFunction<String, String, Lane> lanes) {
        this.cluster = cluster;
        this.lanes = lanes;
    }

    /** Over a connection that is there, and to its end. */
    void attack(String name, String node, Attack attack) {
        try (Lane lane = lanes.apply(name, node)) {
            attack.over(lane, node);
            assertThat(lane.isRead())
                    .as("%s has read all of it and goes on; %s", node, cluster)
                    .isTrue();
        }
    }

    private static void send(Lane lane, String from, byte[] frame) {
        assertThat(lane.frame(from, frame))
                .as("frames of the right form leave the connection open")
                .isTrue();
    }

    /** Frames of the right form, with nothing right in them. */
    static void random(Lane lane) {
        Random random = new Random(42);
        for (int i = 0; i < RANDOM; i++) {
            byte[] bytes = new byte[random.nextInt(2_000)];
            random.nextBytes(bytes);
            if (i % 2 == 0 && bytes.length > 1) {
                bytes[0] = (byte) (i % 4 == 0 ? 'Q' : 'S');
                bytes[1] = 2;
            }
            send(lane, "mallory", bytes);
        }
    }

    /** Hand-overs, goodbyes, adopted lives and claims in this name, with numbers as large as they can be. */
    static void forgeries(Lane lane, String from, String node, long... lives) {
        long sequence = 0;
        for (long life : lives) {
            for (long n : Forgeries.NUMBERS) {
                for (Bytes forgery : Forgeries.all(AttackedNode.PATH, n)) {
                    send(lane, from, Forger.frame('Q', CLUSTER, from, node, life, ++sequence, forgery));
                    byte[] frame = Forger.frame('S', CLUSTER, from, node, life, ++sequence, forgery);
                    send(lane, from, Mac.wrongBehind(frame));
                }
            }
        }
    }

    /** The same of who is heard: the node handles all of it. So does a node whose settings agree, as far as one hears. */
    static void heardForgeries(Lane lane, Voice voice) {
        for (long n : Forgeries.NUMBERS) {
            send(lane, voice.from(), voice.frame(Forgeries.heartbeat(1, n, voice.configuration())));
            for (Bytes forgery : Forgeries.all(AttackedNode.PATH, n)) {
                send(lane, voice.from(), voice.frame(forgery));
            }
            voice.awaitHandled(lane);
        }
    }

    /** In the name of a node whose answers go elsewhere: lives and what they have heard are guessed. */
    void guesses(Lane lane, String from, String node, Optional<Mac> mac) {
        Random random = new Random(42);
        List<Bytes> messages = Forgeries.all(AttackedNode.PATH, 7);
        long before = neverHeard(node);
        for (int i = 0; i < GUESSES; i++) {
            if (i % LONG_PATHS_AT_ONCE == 0) {
                assertThat(lane.isRead()).as("%s reads; %s", node, cluster).isTrue();
                cluster.awaitHandled(node);
            }
            long theirs = i % 2 == 0 ? 0 : life(random);
            Forger.Head head = new Forger.Head(
                    from,
                    node,
                    life(random),
                    theirs,
                    1 + random.nextInt(1 << 20),
                    theirs == 0 ? 0 : random.nextInt(100),
                    i % 3 == 0 ? Voice.ASKS : 0);
            byte[] frame =
                    Forger.frame(mac.isPresent() ? 'S' : 'Q', head, messages.get(random.nextInt(messages.size())));
            send(lane, from, mac.map(key -> key.appendedTo(frame)).orElse(frame));
        }
        lane.flush();
        cluster.await(node + " has dropped each guess", () -> neverHeard(node) - before >= GUESSES - HELD);
    }

    private static long life(Random random) {
        return 1 + (random.nextLong() >>> 2);
    }

    private long neverHeard(String node) {
        return cluster.dropped(node, "unproved-life") + cluster.dropped(node, "other-life-of-us");
    }

    /** Questions and answers without end: the node sends two frames at most for one. */
    static void questions(Lane lane, Voice voice, String node) {
        Random random = new Random(42);
        int before = voice.frames();
        long sent = voice.sent();
        for (int i = 0; i < QUESTIONS; i++) {
            send(lane, voice.from(), voice.frame());
            Forger.Head other = new Forger.Head(voice.from(), node, life(random), 0, 1, 0, Voice.ASKS);
            send(lane, voice.from(), voice.sealed(other, Forgeries.heartbeat(1, 0)));
            if (i % QUESTIONS_AT_ONCE == 0) {
                voice.awaitHandled(lane);
            }
        }
        voice.awaitHandled(lane);
        assertThat(voice.frames() - before)
                .as("what %s has sent upon %d questions", node, 2 * QUESTIONS)
                // Whoever waits asks as well.
                .isBetween(QUESTIONS / 2, (int) (2 * (QUESTIONS + voice.sent() - sent)));
    }

    /** What the attack sends is dropped for this reason, at least so many frames of it. */
    void isDropped(List<String> nodes, String reason, long min, Runnable attack) {
        List<Long> before =
                nodes.stream().map(node -> cluster.dropped(node, reason)).toList();
        attack.run();
        for (int i = 0; i < nodes.size(); i++) {
            String node = nodes.get(i);
            long least = before.get(i) + min;
            cluster.await(node + " has dropped " + min + " as " + reason, () -> cluster.dropped(node, reason) >= least);
        }
    }

    static void manyNames(Lane lane, String node) {
        for (int i = 0; i < NAMES; i++) {
            String from = "name-" + i;
            send(lane, from, Forger.frame('Q', CLUSTER, from, node, 1, 1, Forgeries.heartbeat(1, 0)));
        }
    }

    /** Of other clusters, whose names would be lines of their own in a log. */
    static void wrongNames(Lane lane, String node) {
        for (int i = 0; i < 100; i++) {
            String cluster = "x\n[main] ERROR forged \u001b[31m" + i;
            send(lane, "mallory", Forger.frame('Q', cluster, "mallory", node, 1, i + 1, Forgeries.heartbeat(1, 0)));
        }
    }

    /** What this asks of a node is memory, and not speed. */
    void longPaths(Lane lane, Voice voice, String node) {
        for (int i = 0; i < LONG_PATHS; i++) {
            if (i % LONG_PATHS_AT_ONCE == 0) {
                voice.awaitHandled(lane);
            }
            send(
                    lane,
                    voice.from(),
                    voice.frame(
                            Forgeries.heartbeat(i + 1, 0, voice.configuration()),
                            Bytes.of(Forgeries.CLAIM)
                                    .text("/" + "p".repeat(1_500) + i)
                                    .numbers(1, i)));
        }
        voice.awaitHandled(lane);
    }

    // ---------------------------------------------------------------- a flood under a secret

    /** Frames as a node would send them, under another secret, as fast as the connection takes them. */
    static void underAnotherSecret(Lane lane, String node) {
        flood(lane, new Voice("mallory", node, Optional.of(Mac.of("another secret, that nobody has")), new Random(42)));
    }

    private static void flood(Lane lane, Voice voice) {
        for (int i = 0; i < FLOOD; i++) {
            send(lane, voice.from(), voice.frame(Forgeries.heartbeat(i + 1, 0)));
        }
    }

    /**
     * What a forged frame costs the node, and what a good one of the same length does, by turns.
     *
     * @param secret that of the cluster
     * @return the median of the ratios
     */
    double costOfAForgedFrame(String secret, String node) {
        List<Double> ratios = new ArrayList<>();
        Mac right = Mac.of(secret);
        Mac wrong = Mac.of("another secret, that nobody has");
        StringBuilder told = new StringBuilder();
        // The first turn warms up.
        for (int turn = 0; turn <= TURNS; turn++) {
            long forged = cost(node, wrong, false);
            long good = cost(node, right, true);
            if (turn > 0) {
                ratios.add((double) forged / good);
                told.append(String.format(" %.1f and %.1f;", forged / 1e3, good / 1e3));
            }
        }
        ratios.sort(null);
        double median = ratios.get(ratios.size() / 2);
        System.out.printf(
                "CPU of %s for a forged frame and for a good one, in us:%s median ratio %.2f, from %.2f to %.2f%n",
                node, told, median, ratios.get(0), ratios.get(ratios.size() - 1));
        return median;
    }

    /** In nanoseconds per frame. */
    private long cost(String node, Mac mac, boolean isHeard) {
        Duration before = cluster.cpu(node);
        attack(
                "mallory",
                node,
                (lane, to) -> flood(
                        lane,
                        isHeard
                                ? Voice.heard(lane, "mallory", to, Optional.of(mac))
                                : new Voice("mallory", to, Optional.of(mac), new Random(42))));
        return cluster.cpu(node).minus(before).toNanos() / FLOOD;
    }

    /** The node says once that it drops what a stranger sends. */
    void isSaid(String part) {
        for (String id : cluster.ids()) {
            assertThat(cluster.hasLogged(id, part))
                    .as("%s has said: %s; %s", id, part, cluster)
                    .isTrue();
        }
    }
}
