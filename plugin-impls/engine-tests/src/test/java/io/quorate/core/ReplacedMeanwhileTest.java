package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All fellow voters of a node were replaced while it was away, and stopped. It follows none of the nodes that it does not
 * know, because two contenders could say the same, and an operator acts.
 */
class ReplacedMeanwhileTest {

    private static final String PATH = "/app";

    private final ChangingCluster nodes = new ChangingCluster(7);
    private final VirtualCluster cluster = nodes.cluster;

    /** n1 and n2 have brought n5 and n6 in while n3 was down, and are gone, as n4 is. All three that vote live. */
    private void replaceAllButN3() {
        replaceWhileN3IsDown(nodes);
        int first = cluster.contend(node(5), PATH);
        cluster.await("n5 leads", 10_000, () -> cluster.leaders(PATH).equals(nodes(5)));
        cluster.withdraw(node(5), first);
        cluster.start(node(3));
    }

    private static void replaceWhileN3IsDown(ChangingCluster nodes) {
        nodes.start(4, 6);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        nodes.cluster.advance(3000);
        nodes.cluster.crash(node(3));
        nodes.cluster.advance(2000);
        assertThat(nodes.change(2, 2, 3, 5)).isEqualTo("done");
        nodes.cluster.advance(3000);
        assertThat(nodes.change(5, 3, 5, 6)).isEqualTo("done");
        nodes.cluster.advance(3000);
        for (int gone : new int[] {1, 2, 4}) {
            nodes.cluster.crash(node(gone));
        }
    }

    /**
     * A contender whose settings name exactly those who vote now. n3, which is one of them, has missed the changes, and is
     * the first that answers. n5 and n6 are a majority that works.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNewNodeWithTheRightSettingsIsServedAlthoughAStaleVoterAnswersFirst(boolean joins) {
        replaceAllButN3();
        cluster.advance(5000);
        NodeId fresh = node(7);
        NodeSettings settings = VirtualCluster.settings(fresh, nodes(3, 5, 6));
        cluster.add(joins ? settings.joining() : settings);
        cluster.diskless(fresh);
        cluster.cut(fresh, node(5));
        cluster.cut(fresh, node(6));
        cluster.start(fresh);
        cluster.advance(2000);
        cluster.heal();
        cluster.contend(fresh, PATH);
        cluster.advance(60_000);
        assertThat(cluster.leaders(PATH)).as(cluster::describe).isEqualTo(List.of(fresh));
    }

    // Nobody is cut off: whoever answers first decides.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theSameWithoutAnyCut(long seed) {
        ChangingCluster mine = new ChangingCluster(seed);
        VirtualCluster own = mine.cluster;
        replaceWhileN3IsDown(mine);
        own.start(node(3));
        own.advance(5000);
        NodeId fresh = node(7);
        own.add(VirtualCluster.settings(fresh, nodes(3, 5, 6)).joining());
        own.diskless(fresh);
        own.start(fresh);
        own.contend(fresh, PATH);
        own.advance(60_000);
        assertThat(own.leaders(PATH)).as(own::describe).isEqualTo(List.of(fresh));
    }

    @Test
    void aVoterThatKnowsNoneOfThoseWhoVoteWaitsForAnOperator() {
        replaceAllButN3();
        VoterList now = cluster.node(node(3)).voters();
        cluster.contend(node(5), PATH);
        cluster.advance(60_000);
        assertThat(cluster.node(node(3)).voters()).isEqualTo(now);
        assertThat(cluster.leaders(PATH)).as("n5 and n6 lead without it").isEqualTo(nodes(5));
    }

    /** Three voters, and n4 and n5 contend with nodes of their own. They say that they vote. */
    private VoterList madeUp() {
        nodes.start(3, 5);
        return new VoterList(
                1000,
                0,
                List.of(
                        new VoterList.Member(node(4), 4711, Optional.empty()),
                        new VoterList.Member(node(5), 4712, Optional.empty())));
    }

    private void contendersSay(VoterList list, int... to) {
        for (int i = 0; i < 60; i++) {
            for (int from = 4; from <= 5; from++) {
                for (int each : to) {
                    cluster.inject(node(from), cluster.incarnation(node(from)), node(each), new DecidedVoters(list));
                }
            }
            cluster.advance(1000);
        }
    }

    // After ten support times without a majority a voter believed what two nodes said of themselves.
    @Test
    void contendersDoNotReplaceVotersHoweverLongAMajorityIsMissing() {
        VoterList madeUp = madeUp();
        VoterList first = cluster.node(node(1)).voters();
        cluster.crash(node(2));
        cluster.crash(node(3));
        contendersSay(madeUp, 1);
        assertThat(cluster.node(node(1)).voters()).isEqualTo(first);
        cluster.start(node(2));
        cluster.start(node(3));
        cluster.contend(node(1), PATH);
        cluster.await("n1 leads", 60_000, () -> cluster.leaders(PATH).equals(nodes(1)));
    }

    @Test
    void removedVotersDoNotReplaceVotersHoweverLongAMajorityIsMissing() {
        nodes.start(5, 5);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(30_000);
        VoterList now = cluster.node(node(1)).voters();
        cluster.crash(node(2));
        cluster.crash(node(3));
        contendersSay(
                new VoterList(
                        now.number() + 1,
                        now.floor(),
                        List.of(
                                new VoterList.Member(node(4), 4711, Optional.empty()),
                                new VoterList.Member(node(5), 4712, Optional.empty()))),
                1);
        assertThat(cluster.node(node(1)).voters()).isEqualTo(now);
    }

    // Its settings name n1 to n3. It has a directory, so it would store what it follows.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJoiningNodeDoesNotBelieveContendersThatItsSettingsDoNotName(boolean isNamed) {
        VoterList madeUp = madeUp();
        NodeId fresh = node(6);
        cluster.add(VirtualCluster.settings(fresh, nodes(1, 2, 3)).joining());
        cluster.start(fresh);
        for (int voter = 1; voter <= 3; voter++) {
            cluster.cut(fresh, node(voter));
        }
        VoterList list = isNamed
                ? new VoterList(
                        1000,
                        0,
                        List.of(
                                new VoterList.Member(node(4), 4711, Optional.empty()),
                                new VoterList.Member(fresh, 4713, Optional.empty())))
                : madeUp;
        contendersSay(list, 6);
        assertThat(nodes.number(6)).isZero();
        cluster.heal();
        cluster.contend(fresh, PATH);
        cluster.await("n6 leads", 60_000, () -> cluster.leaders(PATH).equals(List.of(fresh)));
    }
}
