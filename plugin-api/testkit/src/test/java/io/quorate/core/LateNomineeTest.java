package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nominees that are up and never lead: the patience of the others ends that, one after the other. */
@Timeout(60)
class LateNomineeTest {

    private static final String PATH = "/app";

    @ParameterizedTest
    @CsvSource({"3, 1", "5, 1", "9, 1", "5, 2", "9, 2", "5, 3", "9, 3"})
    void anotherLeads(int voters, int mute) {
        VirtualCluster cluster = VirtualCluster.ofVoters(voters, 7, new HighestUp());
        cluster.advance(3000);
        NodeId first = new NodeId("n1");
        for (int i = 1; i <= voters; i++) {
            cluster.contend(new NodeId("n" + i), PATH);
            cluster.advance(1000);
        }
        assertThat(cluster.leaders(PATH)).containsExactly(first);
        cluster.drop(f -> f.message() instanceof Claim
                && Integer.parseInt(f.from().value().substring(1)) > 1
                && Integer.parseInt(f.from().value().substring(1)) <= mute + 1);
        cluster.crash(first);
        long took = -1;
        for (int i = 0; i < 150 && took < 0; i++) {
            cluster.advance(100);
            took = cluster.leaders(PATH).isEmpty() ? -1 : i * 100L;
        }
        assertThat(took).as(cluster.describe()).isNotNegative();
    }

    /**
     * Nobody lies. Three contenders with the best ranks reach n3, n4 and n5, which support them: they are up. The disk of n4
     * is full, so it votes for nobody. d, the fourth, reaches all that vote.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aVoterWithAFullDiskAndABrokenLink(int better) {
        VirtualCluster cluster = VirtualCluster.ofVoters(5, 7, new HighestUp());
        List<NodeId> voters = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            voters.add(new NodeId("n" + i));
        }
        cluster.diskIsFull(voters.get(3), true);
        cluster.advance(3000);
        for (int i = 0; i < better; i++) {
            NodeId each = new NodeId("" + (char) ('a' + i));
            cluster.add(VirtualCluster.settings(each, voters));
            cluster.start(each);
            cluster.cut(each, voters.get(0));
            cluster.cut(each, voters.get(1));
            cluster.contend(each, PATH);
            cluster.advance(2000);
        }
        NodeId d = new NodeId("d");
        cluster.add(VirtualCluster.settings(d, voters));
        cluster.start(d);
        cluster.contend(d, PATH);
        long took = -1;
        for (int i = 0; i < 150 && took < 0; i++) {
            cluster.advance(100);
            took = cluster.leaders(PATH).isEmpty() ? -1 : i * 100L;
        }
        assertThat(took).as(cluster.describe()).isNotNegative();
    }

    /** The same where three vote: n2's disk is full, and a, b and c do not reach n1. */
    @Test
    void ofThreeOneHasAFullDisk() {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new HighestUp());
        List<NodeId> voters = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
        cluster.diskIsFull(voters.get(1), true);
        cluster.advance(3000);
        for (String name : List.of("a", "b", "c", "d")) {
            NodeId each = new NodeId(name);
            cluster.add(VirtualCluster.settings(each, voters));
            cluster.start(each);
            if (!name.equals("d")) {
                cluster.cut(each, voters.get(0));
            }
            cluster.contend(each, PATH);
            cluster.advance(2000);
        }
        long took = -1;
        for (int i = 0; i < 150 && took < 0; i++) {
            cluster.advance(100);
            took = cluster.leaders(PATH).isEmpty() ? -1 : i * 100L;
        }
        assertThat(took).as(cluster.describe()).isNotNegative();
    }

    // The leader dies while five of nine voters cannot store: all others wait, and are not to claim all the time.
    @ParameterizedTest
    @CsvSource({"40, 1, 5", "20, 10, 5"})
    void claimsWhileNobodyCanLead(int contenders, int paths, int oneWayMillis) {
        int count = 9;
        VirtualCluster cluster = VirtualCluster.ofVoters(count, 5, new HighestUp());
        List<NodeId> voters = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            voters.add(new NodeId("n" + i));
        }
        cluster.delays(500 * oneWayMillis, 1000 * oneWayMillis);
        cluster.advance(3000);
        for (int i = 0; i < contenders; i++) {
            NodeId each = new NodeId("c" + (100 + i));
            cluster.add(VirtualCluster.settings(each, voters));
            cluster.diskless(each);
            cluster.start(each);
            for (int p = 0; p < paths; p++) {
                cluster.contend(each, "/p" + p);
            }
            if (i == 0) {
                cluster.await(
                        "c100 leads", 20_000, () -> !cluster.leaders("/p0").isEmpty());
            }
        }
        cluster.advance(5000);
        // They have terms reserved until they start again.
        for (int i = 0; i <= count / 2; i++) {
            cluster.crash(voters.get(i));
            cluster.diskIsFull(voters.get(i), true);
            cluster.start(voters.get(i));
            cluster.advance(3000);
        }
        cluster.crash(new NodeId("c100"));
        cluster.advance(25_000);
        Map<String, Integer> by = new TreeMap<>();
        int[] all = {0, 0};
        cluster.network(f -> {
            all[1]++;
            if (f.message() instanceof Claim) {
                all[0]++;
                by.merge(f.from().value(), 1, Integer::sum);
            }
        });
        cluster.advance(10_000);
        String rate = all[0] / 10 + " claims and " + all[1] / 10 + " messages in a second, of " + by.size() + " nodes";
        for (int i = 0; i <= count / 2; i++) {
            cluster.diskIsFull(voters.get(i), false);
        }
        boolean wasLed = !cluster.leaders("/p0").isEmpty();
        cluster.await("all are led; " + rate, 120_000, () -> {
            for (int p = 0; p < paths; p++) {
                if (cluster.leaders("/p" + p).isEmpty()) {
                    return false;
                }
            }
            return true;
        });
        assertThat(wasLed).isFalse();
        // Three go on with their back-offs alone; the others wait for a turn each time, which is a harmonic sum.
        assertThat(all[0] / 10).as(rate).isLessThan(300 * paths);
    }
}
