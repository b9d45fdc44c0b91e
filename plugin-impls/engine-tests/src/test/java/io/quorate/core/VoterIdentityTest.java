package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/reconfiguration.md, R9: a voter is a node with its data directory. Whoever has lost that does not vote. */
class VoterIdentityTest {

    private static final String PATH = "/app";

    private final ChangingCluster nodes = new ChangingCluster(7);
    private final VirtualCluster cluster = nodes.cluster;

    /** n1 leads, and has a higher token each time; the last one is answered. */
    private long raiseToken(int times) {
        int number = cluster.contend(node(1), PATH);
        for (int i = 0; i < times; i++) {
            cluster.await("n1 leads", 10_000, () -> cluster.leaders(PATH).equals(nodes(1)));
            cluster.resign(node(1), number);
            cluster.advance(500);
        }
        cluster.await("n1 leads", 10_000, () -> cluster.leaders(PATH).equals(nodes(1)));
        return cluster.token(PATH);
    }

    // The list would not name its directory, and so could not tell it from one that was emptied.
    @Test
    void theFirstChangeWaitsForAllThatVoteOn() {
        nodes.start(4, 4);
        cluster.crash(node(3));
        assertThat(nodes.change(1, 1, 2, 3))
                .isEqualTo("n3 has not answered within 15 s, and no list names its data directory yet, without"
                        + " which it would not vote. Bring it back, or leave it out");
        assertThat(cluster.node(node(1)).voters().number()).isEqualTo(1);
        cluster.start(node(3));
        cluster.advance(1500);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
    }

    // An emptied directory could not be told from it.
    @Test
    void directoryInNoListDoesNotVote() {
        NodeId unnamed = node(stopBetweenTheSteps());
        cluster.start(unnamed);
        cluster.advance(3000);
        assertThat(cluster.node(unnamed).pageCount()).isZero();
        cluster.isolate(node(2));
        cluster.contend(node(1), PATH);
        cluster.advance(5000);
        assertThat(cluster.leaders(PATH)).as("led by two of four that vote").isEmpty();
    }

    @Test
    void voterWithoutItsDirectoryDoesNotVote() {
        nodes.start(3, 5);
        assertThat(nodes.change(1, 1, 2, 4)).isEqualTo("done");
        cluster.crash(node(2));
        cluster.diskless(node(2));
        cluster.start(node(2));
        cluster.advance(4000);
        assertThat(cluster.node(node(2)).pageCount()).isZero();
        assertThat(cluster.node(node(2)).describe()).contains("does not vote");
        cluster.contend(node(5), PATH);
        cluster.await("another leads", 5000, () -> cluster.leaders(PATH).equals(nodes(5)));
        assertThat(nodes.change(1, 1, 4)).as("it is left out").isEqualTo("done");
    }

    @Test
    void tokensRiseThoughAVoterOfTheSecondListIsEmptied() {
        nodes.start(4, 4);
        cluster.crash(node(3));
        nodes.change(1, 1, 2, 3);
        cluster.start(node(3));
        cluster.advance(1500);
        nodes.change(1, 1, 2, 3);
        cluster.crash(node(4));
        cluster.isolate(node(2));
        long token = raiseToken(5);
        cluster.crash(node(1));
        cluster.crash(node(3));
        cluster.wipe(node(3));
        cluster.heal();
        cluster.advance(3000);
        cluster.start(node(3));
        cluster.contend(node(2), PATH);
        cluster.advance(20_000);
        assertThat(cluster.leaders(PATH)).as("one of three votes").isEmpty();
        cluster.start(node(1));
        cluster.await("n2 leads", 20_000, () -> cluster.leaders(PATH).equals(nodes(2)));
        assertThat(cluster.token(PATH)).isGreaterThan(token);
    }

    /** The first of two steps is done, and its coordinator is killed and back. Answers whom list 2 does not name. */
    private int stopBetweenTheSteps() {
        nodes.start(5, 5);
        cluster.crash(node(3));
        cluster.crash(node(5));
        cluster.changeVoters(node(1), 1, nodes(1, 2, 4));
        cluster.await(
                "the first step is done",
                20_000,
                () -> cluster.node(node(2)).voters().number() == 2);
        cluster.crash(node(1));
        cluster.start(node(1));
        return cluster.node(node(2)).voters().ids().contains(node(3)) ? 3 : 5;
    }

    @Test
    void unlistedDirectoryIsAddedByTheSameVoters() {
        int unnamed = stopBetweenTheSteps();
        cluster.start(node(unnamed));
        cluster.advance(3000);
        assertThat(cluster.node(node(unnamed)).votes()).isFalse();
        assertThat(nodes.change(2, 1, 2, 4, unnamed)).isEqualTo("done");
        cluster.advance(3000);
        assertThat(cluster.node(node(unnamed)).votes()).isTrue();
    }

    // Seed 11,865: the one that was taken in first waited for the other one to be named.
    @Test
    void severalThatAreNotNamedAreTakenIn() {
        nodes.start(7, 7);
        for (int silent = 5; silent <= 7; silent++) {
            cluster.crash(node(silent));
        }
        cluster.changeVoters(node(1), 1, nodes(1, 2, 3, 4));
        cluster.await("the first step is done", 20_000, () -> nodes.number(2) == 2);
        cluster.crash(node(1));
        for (int back : new int[] {1, 5, 6, 7}) {
            cluster.start(node(back));
        }
        cluster.advance(3000);
        assertThat(nodes.change(2, 1, 2, 3, 4, 5, 6, 7)).isEqualTo("done");
        cluster.advance(3000);
        for (int each = 1; each <= 7; each++) {
            assertThat(cluster.node(node(each)).votes()).as("n" + each).isTrue();
        }
    }

    @Test
    void unlistedDirectoryThatIsAwayIsNotAdded() {
        int unnamed = stopBetweenTheSteps();
        cluster.advance(3000);
        assertThat(nodes.change(2, 1, 2, 4, unnamed)).startsWith("n" + unnamed + " has not answered within 15 s");
    }

    @Test
    void unlistedVoterWithoutADirectoryIsRemoved() {
        int unnamed = stopBetweenTheSteps();
        cluster.diskless(node(unnamed));
        cluster.start(node(unnamed));
        cluster.advance(3000);
        assertThat(nodes.change(2, 1, 2, 4)).isEqualTo("done");
    }

    // Somebody that has not heard of the change tells it list 1. With n1, whose directory is lost, it would be a
    // majority.
    @Test
    void joiningNodeDoesNotVoteUnderTheFirstList() {
        nodes.start(3, 4);
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        cluster.crash(node(1));
        cluster.wipe(node(1));
        cluster.start(node(1));
        cluster.step(
                node(1),
                new NodeEvent.Received(
                        node(3), cluster.incarnation(node(3)), new DecidedVoters(VoterList.first(nodes(1, 2, 3)))));
        assertThat(cluster.node(node(1)).voters().number()).isEqualTo(1);
        assertThat(cluster.node(node(1)).votes()).isFalse();
    }

    // Whoever does not vote does not count its own support either.
    @Test
    void unlistedDirectoryDoesNotSupportItself() {
        nodes.start(3, 3);
        VoterList now = cluster.node(node(1)).voters();
        VoterList next = new VoterList(2, 0, now.members());
        cluster.step(node(1), new NodeEvent.Received(node(2), cluster.incarnation(node(2)), new DecidedVoters(next)));
        assertThat(cluster.node(node(1)).votes()).isFalse();
        assertThat(cluster.node(node(1)).supporters() & 1).isZero();
    }

    // It hears no heartbeats, and nobody says who is up.
    @Test
    void formerVoterThatIsCutOffSuspectsOthers() {
        nodes.start(3, 4);
        cluster.changeVoters(node(1), 1, nodes(1, 2));
        cluster.await("n3 knows", 20_000, () -> nodes.number(3) == 2);
        cluster.isolate(node(3));
        cluster.advance(10_000);
        for (NodeId other : nodes(1, 2, 4)) {
            assertThat(cluster.node(node(3)).isUp(other)).as(other.value()).isFalse();
        }
    }

    // n4 is emptied when somebody has accepted it with its former directory, and that is what the next change finds.
    @Test
    void aListThatNamesALostDirectoryIsNotWhatWasWanted() {
        nodes.start(3, 4);
        cluster.drop(
                flight -> flight.message() instanceof Accept && !flight.to().equals(node(3))
                        || flight.message() instanceof Acceptance);
        boolean[] isAccepted = {false};
        cluster.network(flight -> isAccepted[0] |= flight.message() instanceof Acceptance);
        cluster.changeVoters(node(2), 1, nodes(1, 2, 3, 4));
        cluster.await("accepted by n3", 20_000, () -> isAccepted[0]);
        cluster.crash(node(2));
        cluster.heal();
        cluster.crash(node(4));
        cluster.wipe(node(4));
        cluster.start(node(4));
        cluster.start(node(2));
        cluster.advance(5000);
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        assertThat(nodes.number(1)).as("as it was, without n4, with n4").isEqualTo(4);
        cluster.advance(1000);
        assertThat(cluster.node(node(4)).votes()).isTrue();
    }

    private void emptyTheThirdUnderTheFirstList() {
        nodes.start(3, 3);
        cluster.crash(node(3));
        cluster.wipe(node(3));
        cluster.start(node(3));
        cluster.advance(5000);
        assertThat(nodes.number(3)).isEqualTo(1);
        assertThat(cluster.node(node(3)).votes()).isFalse();
    }

    // A change to the same voters would change nothing, so it is not said to be done.
    @Test
    void joiningNodeUnderTheFirstListLogsTheRemedy() {
        emptyTheThirdUnderTheFirstList();
        assertThat(nodes.change(1, 1, 2, 3))
                .isEqualTo("n3 joined, and so has another directory than the one that votes under number 1. Have the"
                        + " others vote without it, and then with it");
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(1000);
        assertThat(cluster.node(node(3)).votes()).isTrue();
    }

    @Test
    void joiningNodeUnderTheFirstListIsNotCounted() {
        emptyTheThirdUnderTheFirstList();
        cluster.crash(node(2));
        cluster.advance(3000);
        assertThat(nodes.change(1, 1, 3)).contains("n3 joined");
        assertThat(nodes.number(1)).isEqualTo(1);
    }

    @Test
    void removedVoterNeedsNoDirectory() {
        nodes.start(3, 3);
        cluster.crash(node(3));
        cluster.wipe(node(3));
        cluster.diskless(node(3));
        cluster.start(node(3));
        cluster.advance(3000);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
    }

    // What operations.md says, without a wait: it is silent as one that comes, and not as one that is to leave first.
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 300, 600, 1100, 1500})
    void whoeverWasEmptiedIsTakenInAlsoInItsQuarantine(int before) {
        nodes.start(3, 4);
        assertThat(nodes.change(1, 1, 2, 4)).isEqualTo("done");
        cluster.crash(node(4));
        cluster.wipe(node(4));
        cluster.advance(2000);
        cluster.start(node(4));
        cluster.advance(before);
        assertThat(nodes.change(1, 1, 2, 4)).isEqualTo("done");
        cluster.advance(3000);
        assertThat(cluster.node(node(4)).votes()).isTrue();
    }

    @Test
    void emptiedVoterIsAddedWithALongSupportTime() {
        nodes.start(3, 4, new LeaseTiming(12_000_000_000L, 60_000_000_000L, 10));
        assertThat(nodes.change(1, 1, 2, 4)).isEqualTo("done");
        cluster.crash(node(4));
        cluster.wipe(node(4));
        cluster.advance(70_000);
        cluster.start(node(4));
        cluster.advance(5_000);
        assertThat(nodes.change(1, 1, 2, 4)).isEqualTo("done");
        cluster.advance(200_000);
        assertThat(cluster.node(node(4)).votes()).isTrue();
    }
}
