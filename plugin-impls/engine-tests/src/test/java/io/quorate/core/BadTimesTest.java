package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.PathView;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many contenders while nobody can lead, and messages that are lost for a while: in the end all is well. */
class BadTimesTest {

    private static final String PATH = "/app";

    private static List<NodeId> voters(int count) {
        List<NodeId> voters = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            voters.add(new NodeId("n" + i));
        }
        return voters;
    }

    // Five of nine cannot store for a minute; then they can. All contenders have lost their patience by then.
    @ParameterizedTest
    @CsvSource("9, 40, 20, 1")
    void somebodyLeadsWhenTheDisksHaveRoom(int count, int contenders, int oneWayMillis, long seed) {
        VirtualCluster cluster = VirtualCluster.ofVoters(count, seed, new HighestUp());
        List<NodeId> voters = voters(count);
        cluster.delays(1000 * oneWayMillis / 2, 1000 * oneWayMillis);
        for (int i = 0; i <= count / 2; i++) {
            cluster.diskIsFull(voters.get(i), true);
        }
        cluster.advance(3000);
        for (int i = 0; i < contenders; i++) {
            NodeId each = new NodeId("c" + (100 + i));
            cluster.add(VirtualCluster.settings(each, voters));
            cluster.diskless(each);
            cluster.start(each);
            cluster.contend(each, PATH);
        }
        cluster.advance(30_000);
        int[] claims = {0};
        cluster.network(f -> claims[0] += f.message() instanceof Claim ? 1 : 0);
        cluster.advance(10_000);
        assertThat(claims[0]).as("claims in ten seconds").isLessThan(3_000);
        for (int i = 0; i <= count / 2; i++) {
            cluster.diskIsFull(voters.get(i), false);
        }
        long took = cluster.await(
                "somebody leads", 120_000, () -> !cluster.leaders(PATH).isEmpty());
        assertThat(took).isLessThan(10_000);
    }

    /** A majority of the three voters supports, and cannot vote. */
    private static void disksAreFull(VirtualCluster cluster, boolean areFull) {
        voters(3).subList(0, 2).forEach(voter -> cluster.diskIsFull(voter, areFull));
    }

    private static List<NodeId> fortyThatClaimInVain(VirtualCluster cluster) {
        disksAreFull(cluster, true);
        cluster.advance(3000);
        List<NodeId> contenders = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            NodeId each = new NodeId("c" + (100 + i));
            contenders.add(each);
            cluster.add(VirtualCluster.settings(each, voters(3)));
            cluster.diskless(each);
            cluster.start(each);
            cluster.contend(each, PATH);
        }
        cluster.advance(60_000);
        return contenders;
    }

    // Forty have claimed in vain for a minute. Then the disks have room, and somebody leads, who dies with some others.
    @ParameterizedTest
    @ValueSource(ints = {1, 39})
    void whatFailedBeforeALeaderWasKnownCountsNoMore(int survivors) {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 1, new HighestUp());
        List<NodeId> contenders = fortyThatClaimInVain(cluster);
        disksAreFull(cluster, false);
        cluster.await("one leads", 60_000, () -> !cluster.leaders(PATH).isEmpty());
        cluster.advance(1500);
        List<NodeId> dead = new ArrayList<>(cluster.leaders(PATH));
        contenders.stream()
                .filter(each -> !dead.contains(each))
                .limit(39 - survivors)
                .forEach(dead::add);
        dead.forEach(cluster::crash);
        cluster.advance(100);
        long took = cluster.await(
                "another leads", 60_000, () -> !cluster.leaders(PATH).isEmpty());
        assertThat(took).isLessThan(2500);
    }

    // All but one of forty die, and then the disks have room.
    @Test
    void theLastOneDoesNotWaitForThoseThatAreGone() {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 1, new HighestUp());
        List<NodeId> contenders = fortyThatClaimInVain(cluster);
        contenders.subList(1, 40).forEach(cluster::crash);
        cluster.advance(3000);
        disksAreFull(cluster, false);
        long took = cluster.await(
                "the last one leads", 120_000, () -> !cluster.leaders(PATH).isEmpty());
        assertThat(took).isLessThan(3000);
    }

    // Acknowledgements and listings of single voters to single nodes get lost for a while, and then not.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void allKnowWhoLeadsInTheEnd(long seed) {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, seed, new HighestUp());
        List<NodeId> voters = voters(3);
        List<NodeId> all = new ArrayList<>(voters);
        cluster.advance(3000);
        for (int i = 0; i < 4; i++) {
            NodeId each = new NodeId("c" + i);
            all.add(each);
            cluster.add(VirtualCluster.settings(each, voters));
            cluster.diskless(each);
            cluster.start(each);
            cluster.contend(each, PATH);
        }
        NodeId watcher = new NodeId("w");
        all.add(watcher);
        cluster.add(VirtualCluster.settings(watcher, voters));
        cluster.diskless(watcher);
        cluster.start(watcher);
        cluster.step(watcher, new NodeEvent.WatchPath(PATH, true));
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            for (int k = 0; k < 4; k++) {
                NodeId from = voters.get(random.nextInt(3));
                NodeId to = all.get(random.nextInt(all.size()));
                int what = random.nextInt(4);
                cluster.drop(f -> f.from().equals(from)
                        && f.to().equals(to)
                        && (what == 0
                                || what == 1 && f.message() instanceof Ack
                                || what == 2 && f.message() instanceof Listings
                                || what == 3 && !(f.message() instanceof Ack)));
            }
            cluster.advance(random.nextInt(1500));
            if (random.nextInt(2) == 0) {
                cluster.heal();
            }
        }
        cluster.heal();
        cluster.advance(8000);
        assertThat(cluster.leaders(PATH)).as(cluster::describe).hasSize(1);
        NodeId leader = cluster.leaders(PATH).get(0);
        for (NodeId node : all) {
            if (!voters.contains(node)) {
                assertThat(cluster.view(node, PATH).flatMap(PathView::leader).map(PathView.Entry::node))
                        .as(node + " " + cluster.describe())
                        .contains(leader);
                assertThat(cluster.view(node, PATH).orElseThrow().contenders()).hasSize(4);
            }
        }
    }
}
