package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.attack.Forger.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private static final int FLOOD = 20_000;
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
    void longPaths(Lane lane, String from, String node) {
        for (int i = 0; i < LONG_PATHS; i++) {
            if (i % LONG_PATHS_AT_ONCE == 0) {
                assertThat(lane.isRead()).as("%s reads; %s", node, cluster).isTrue();
                cluster.awaitHandled(node);
            }
            send(
                    lane,
                    from,
                    Forger.frame(
                            'Q',
                            CLUSTER,
                            from,
                            node,
                            1,
                            i + 1L,
                            Forgeries.heartbeat(i + 1, 0),
                            Bytes.of(Forgeries.CLAIM)
                                    .text("/" + "p".repeat(1_500) + i)
                                    .numbers(1, i)));
        }
    }

    // ---------------------------------------------------------------- a flood under a secret

    /** Frames as a node would send them, under another secret, as fast as the connection takes them. */
    static void underAnotherSecret(Lane lane, String node) {
        flood(lane, Mac.of("another secret, that nobody has"), node, 1);
    }

    private static void flood(Lane lane, Mac mac, String node, long sequence) {
        for (int i = 0; i < FLOOD; i++) {
            byte[] frame =
                    Forger.frame('S', CLUSTER, "mallory", node, 1, sequence + i, Forgeries.heartbeat(sequence + i, 0));
            send(lane, "mallory", mac.appendedTo(frame));
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
            long sequence = 1L + (long) turn * FLOOD;
            long forged = cost(node, wrong, sequence);
            long good = cost(node, right, sequence);
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
    private long cost(String node, Mac mac, long sequence) {
        Duration before = cluster.cpu(node);
        attack("mallory", node, (lane, to) -> flood(lane, mac, to, sequence));
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
