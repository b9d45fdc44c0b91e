package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.attack.Forger.Bytes;
import io.quorate.demo.Cluster;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.history.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three JVMs, and somebody who can reach their ports and forges frames: under an id of its own, and under that of a
 * node that is stopped. What a frame under the id of a node that lives can do is a matter of secrets and certificates.
 */
@Timeout(240)
class ForgedFramesTest {

    private static final String PATH = "/demo/leader";
    private static final long LARGEST = Long.MAX_VALUE;
    private static final long LIMIT = 1L << 62;
    private static final int MANY = 10_000;

    /** How each message begins. */
    private static final int HEARTBEAT = 1;

    private static final int ACK = 2;
    private static final int REFUSED = 3;
    private static final int INQUIRY = 4;
    private static final int HEARD = 5;
    private static final int OUTDATED = 6;
    private static final int GOODBYE = 7;
    private static final int REGISTRATIONS = 8;
    private static final int LISTINGS = 10;
    private static final int CLAIM = 12;
    private static final int VOTE = 13;
    private static final int NACK = 14;
    private static final int RELEASE = 15;
    private static final int CHALLENGE = 16;
    private static final int HANDOVER = 17;

    private static Bytes heartbeat(long sequence, long term) {
        return Bytes.of(HEARTBEAT)
                .numbers(sequence, 0, 0)
                .octet(0)
                .octet(1)
                .octet(1)
                .numbers(term)
                .eight(7)
                .octet(1)
                .numbers(0);
    }

    /** Everything that is for voters, leaders or contenders to say, with this number wherever one stands. */
    private static List<Bytes> forgeries(long n) {
        List<Bytes> all = new ArrayList<>(List.of(
                heartbeat(1, n),
                Bytes.of(ACK).numbers(n, 1, 1, 1, n, n, 0),
                Bytes.of(ACK).numbers(1, n, n, n, 0, 0, 0),
                Bytes.of(REFUSED).octet(1).text("forged\n[main] ERROR a line of its own \u001b[31m"),
                Bytes.of(INQUIRY),
                Bytes.of(HEARD).numbers(n),
                Bytes.of(OUTDATED).numbers(n),
                Bytes.of(GOODBYE),
                Bytes.of(REGISTRATIONS).numbers(n, n, n, 0),
                Bytes.of(LISTINGS).numbers(n, n, n, 0)));
        for (int contender = 1; contender < 4; contender++) {
            all.add(Bytes.of(CLAIM).text(PATH).numbers(contender, n));
            all.add(Bytes.of(VOTE).text(PATH).numbers(contender, n, n, n));
            all.add(Bytes.of(NACK).text(PATH).numbers(contender, 1, n, n));
            all.add(Bytes.of(RELEASE).text(PATH).numbers(contender, n).octet(0));
            all.add(Bytes.of(HANDOVER).text(PATH).numbers(contender, n, 2));
            all.add(Bytes.of(HANDOVER).text(PATH).numbers(contender, 1, n));
            for (String node : List.of("n1", "n2", "n3")) {
                all.add(Bytes.of(CHALLENGE)
                        .text(PATH)
                        .numbers(contender)
                        .text(node)
                        .numbers(n, n));
                all.add(Bytes.of(RELEASE)
                        .text(PATH)
                        .numbers(contender, n)
                        .octet(1)
                        .text(node)
                        .numbers(n, contender, n));
            }
        }
        return all;
    }

    private static void attack(Cluster cluster, String from, long... lives) throws IOException {
        for (String victim : cluster.ids()) {
            if (!cluster.node(victim).isAlive()) {
                continue;
            }
            try (Forger forger = new Forger("demo", victim, cluster.address(victim))) {
                for (long life : lives) {
                    for (long n : new long[] {0, 1, 2, 7, 1L << 40, LIMIT - 1, LIMIT, LIMIT + 1, LARGEST}) {
                        for (Bytes forgery : forgeries(n)) {
                            forger.send(from, life, forgery);
                        }
                    }
                }
                forger.send(victim, 1, Bytes.of(GOODBYE));
                forger.send(victim, LARGEST, Bytes.of(GOODBYE));
                forger.raw(from, new byte[] {1, 2, 3});
                forger.raw(from, new byte[0]);
                for (int i = 0; i < MANY; i++) {
                    forger.send(
                            from,
                            lives[0],
                            heartbeat(i + 10, (long) i << 30),
                            Bytes.of(CLAIM).text("/" + "p".repeat(1_500) + i).numbers(1, i));
                }
            }
        }
    }

    private static void leadsOn(Cluster cluster, NodeProcess leader, long token) {
        cluster.await("the leader answers after the attack", () -> cluster.leader() == leader);
        assertThat(cluster.history().lastLeader().orElseThrow().token())
                .as(cluster.describe())
                .isEqualTo(token);
        assertThat(cluster.history().faults()).as(cluster.describe()).isEmpty();
    }

    /** The forgeries have come: each kind is said once, and nothing that they hold makes a line of its own. */
    private static void isLogged(Cluster cluster, String from) {
        for (String victim : cluster.ids()) {
            if (!cluster.node(victim).isAlive()) {
                continue;
            }
            String log = cluster.log(victim);
            assertThat(log).contains(from).doesNotContain("\u001b").doesNotContain("\n[main] ERROR a line of its own");
            assertThat(log.lines().filter(line -> line.contains(from)).count())
                    .as(log)
                    .isLessThan(40);
            assertThat(log.length()).isLessThan(100_000);
        }
    }

    private static void isSound(Cluster cluster) {
        Report report = cluster.report();
        assertThat(report.violations()).as(report::toString).isEmpty();
    }

    @Test
    void aStrangerHarmsNobody() throws IOException {
        try (Cluster cluster = new Cluster(3, new PluginNames("ballot", PluginNames.VERTX))) {
            cluster.startAll();
            NodeProcess leader = cluster.leader();
            long token = cluster.history().lastLeader().orElseThrow().token();
            attack(cluster, "mallory", 1, 1_000, LIMIT, LARGEST);
            leadsOn(cluster, leader, token);
            isLogged(cluster, "mallory");
            leader.kill();
            long next = cluster.awaitLeaderAfter(token).token();
            assertThat(next).as("no term was used up").isLessThan(1L << 30);
            cluster.start(leader.life().node());
            cluster.awaitContends(leader.life().node());
            isSound(cluster);
        }
    }

    @Test
    void whoeverSpeaksForAStoppedNodeHarmsNobodyAndItComesBack() throws IOException {
        try (Cluster cluster = new Cluster(3, new PluginNames("ballot", PluginNames.VERTX))) {
            cluster.startAll();
            NodeProcess leader = cluster.leader();
            String stopped = cluster.ids().stream()
                    .filter(id -> !id.equals(leader.life().node()))
                    .findFirst()
                    .orElseThrow();
            cluster.node(stopped).kill();
            // A process that is being killed still takes connections.
            cluster.await(stopped + " has ended", () -> !cluster.node(stopped).isAlive());
            long token = cluster.history().lastLeader().orElseThrow().token();
            long now = System.currentTimeMillis();
            attack(cluster, stopped, now, now + 1_000, LIMIT, LARGEST);
            leadsOn(cluster, leader, token);
            cluster.start(stopped);
            cluster.awaitContends(stopped);
            leader.kill();
            long next = cluster.awaitLeaderAfter(token).token();
            assertThat(next)
                    .as("what a voter says of terms is followed only so far")
                    .isLessThan(LIMIT);
            isSound(cluster);
        }
    }
}
