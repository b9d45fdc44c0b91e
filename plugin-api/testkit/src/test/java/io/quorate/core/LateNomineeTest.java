package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
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
}
