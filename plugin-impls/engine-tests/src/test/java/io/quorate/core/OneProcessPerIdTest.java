package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.VOTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.DuplicateNodeException;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node hears that another process has its place: docs/protocol.md#one-process-per-id. */
class OneProcessPerIdTest {

    private static final String PATH = "/app/leader";
    private static final long OTHER = 99;
    /** The support time of the virtual cluster, in milliseconds. */
    private static final long SUPPORT = 1000;

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new HighestUp());
    private final List<Long> promisedAt = new ArrayList<>();

    private void recordPromisesOf(NodeId node) {
        cluster.network(flight -> {
            if (flight.from().equals(node) && (flight.message() instanceof Ack || flight.message() instanceof Vote)) {
                promisedAt.add(cluster.nowMillis());
            }
        });
    }

    private void restart(NodeId node) {
        cluster.crash(node);
        cluster.start(node);
    }

    private void refuse(NodeId node, NodeId by) {
        cluster.step(node, new NodeEvent.PlaceTaken(by, OTHER, true));
    }

    /** The voters refuse it every 100 ms. Answers when it failed; the whole time if it did not. */
    private long refuseFor(long millis, NodeId node, NodeId... by) {
        for (long passed = 0; passed < millis; passed += 100) {
            for (NodeId each : by) {
                refuse(node, each);
            }
            if (cluster.failure(node).isPresent()) {
                return passed;
            }
            cluster.advance(100);
        }
        return millis;
    }

    @Test
    void quarantineLastsUntilTwoSupportTimesAfterTheLastRefusal() {
        cluster.advance(1500);
        restart(N1);
        recordPromisesOf(N1);
        refuseFor(900, N1, N3);
        long last = cluster.nowMillis() - 100;
        cluster.advance(2 * SUPPORT - 110);
        assertThat(promisedAt).isEmpty();
        cluster.advance(500);
        assertThat(promisedAt).isNotEmpty().allMatch(at -> at >= last + 2 * SUPPORT);
        assertThat(cluster.failure(N1)).isEmpty();
    }

    // A second process may take over while the first one stands still, and lose a place to it again.
    @Test
    void votersThatHaveVotedArePlacedInQuarantineAgain() {
        cluster.advance(1500);
        recordPromisesOf(N1);
        cluster.advance(500);
        assertThat(promisedAt).isNotEmpty();
        refuse(N1, N3);
        long at = cluster.nowMillis();
        // An earlier promise leaves with the next heartbeat.
        cluster.advance(300);
        promisedAt.clear();
        cluster.advance(2 * SUPPORT - 310);
        assertThat(promisedAt).isEmpty();
        cluster.advance(500);
        assertThat(promisedAt).isNotEmpty().allMatch(each -> each >= at + 2 * SUPPORT);
    }

    // Its own vote is one of the two that it leads by, and the other process may give that to another leader.
    @Test
    void leadersByTheirOwnVoteStopWithinASupportTime() {
        cluster.advance(1500);
        cluster.crash(N3);
        cluster.advance(1500);
        cluster.contend(N1, PATH);
        cluster.await("a leader", 5000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        refuse(N1, N2);
        long at = cluster.nowMillis();
        cluster.advance(SUPPORT);
        assertThat(cluster.leaders(PATH)).isEmpty();
        cluster.await("it leads again", 10_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        assertThat(cluster.nowMillis()).isGreaterThanOrEqualTo(at + 2 * SUPPORT);
    }

    // n1 leads with its own vote and that of n2. It freed the latter while its lease still ran.
    @Test
    void leadersThatAreRefusedKeepTheVotesThatTheirLeasesRestOn() {
        cluster.advance(1500);
        cluster.contend(N1, PATH);
        cluster.await("a leader", 5000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        cluster.advance(1000);
        cluster.cut(N1, N3);
        cluster.advance(3000);
        refuse(N1, N3);
        cluster.advance(60);
        cluster.contend(N3, PATH);
        // The cluster fails the test if there are two leaders.
        cluster.advance(5000);
        assertThat(cluster.leaders(PATH)).hasSize(1);
    }

    @Test
    void leadersByTheVotesOfOthersGoOn() {
        cluster.advance(1500);
        int number = cluster.contend(N1, PATH);
        cluster.await("a leader", 5000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        long token = cluster.token(PATH);
        refuse(N1, N2);
        cluster.advance(5000);
        assertThat(cluster.tenure(N1, number).orElseThrow().token()).isEqualTo(token);
    }

    /** Four support times of a clock that is as slow as it may be beside this one, up to the next refusal. */
    private static final long REFUSED_FOR_LONG = 4 * SUPPORT * 110 / 90 / 100 * 100 + 100;

    // A former life keeps a place for two and a half support times after its end at most.
    @Test
    void processesThatAreRefusedForFourSupportTimesEnd() {
        cluster.advance(1500);
        restart(N1);
        assertThat(refuseFor(10 * SUPPORT, N1, N3)).isEqualTo(REFUSED_FOR_LONG);
        assertThat(cluster.failure(N1))
                .get()
                .isInstanceOf(DuplicateNodeException.class)
                .asString()
                .contains("'n1'", String.valueOf(OTHER), String.valueOf(cluster.incarnation(N1)));
    }

    // An attacker may hold back refusals, and only delays this node.
    @Test
    void refusalsThatAreNotRecentSilenceAndDoNotEndTheNode() {
        LoneNode node = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0, List.of(N1, N2, N3));
        for (int i = 0; i < 20; i++) {
            node.step(new NodeEvent.PlaceTaken(N2, OTHER, false));
            node.advance(SUPPORT / 2);
        }
        assertThat(node.node().isStopped()).isFalse();
        assertThat(node.node().describe()).contains("in quarantine");
    }

    // So that of two processes which are both refused, the one ends that began later.
    @Test
    void processesThatHaveVotedWaitTwiceAsLong() {
        cluster.advance(1500);
        assertThat(refuseFor(10 * SUPPORT, N1, N3)).isEqualTo(2 * REFUSED_FOR_LONG);
        assertThat(cluster.failure(N1)).isPresent();
    }

    // After a pause a voter may still have to read what a dead process has sent to it.
    @Test
    void refusalsWithAGapAreNotAddedUp() {
        cluster.advance(1500);
        restart(N1);
        for (int i = 0; i < 5; i++) {
            assertThat(refuseFor(900, N1, N3)).isEqualTo(900);
            cluster.advance(SUPPORT);
        }
        assertThat(cluster.failure(N1)).isEmpty();
        cluster.await("it votes in the end", 5000, isVoting());
    }

    private BooleanSupplier isVoting() {
        return () -> !cluster.node(N1).describe().contains("in quarantine");
    }

    // Else a contender could keep a voter from voting.
    @Test
    void onlyVotersAreBelieved() {
        NodeId observer = new NodeId("o1");
        cluster.add(VirtualCluster.settings(observer, VOTERS));
        cluster.start(observer);
        cluster.advance(1500);
        recordPromisesOf(N1);
        assertThat(refuseFor(8 * SUPPORT, N1, observer)).isEqualTo(8 * SUPPORT);
        assertThat(promisedAt).hasSizeGreaterThan(50);
    }

    @Test
    void contendersThatAreRefusedForLongEnd() {
        NodeId observer = new NodeId("o1");
        cluster.add(VirtualCluster.settings(observer, VOTERS));
        cluster.start(observer);
        cluster.advance(1500);
        assertThat(refuseFor(10 * SUPPORT, observer, N1)).as("it was connected").isEqualTo(2 * REFUSED_FOR_LONG);
        assertThat(cluster.failure(observer)).isPresent();
    }

    // Another process may have its places by now. After the first pause a heartbeat is due first, after the second one
    // the end of the quarantine, and after the third one a frame is read first.
    @ParameterizedTest
    @ValueSource(longs = {100, SUPPORT - 1, 5 * SUPPORT})
    void processThatStoodStillPromisesNothingForASupportTime(long millis) {
        cluster.advance(1500);
        restart(N1);
        cluster.advance(millis);
        cluster.pause(N1);
        cluster.advance(3 * SUPPORT);
        recordPromisesOf(N1);
        cluster.resume(N1);
        long resumed = cluster.nowMillis();
        cluster.advance(SUPPORT - 10);
        assertThat(promisedAt).isEmpty();
        cluster.advance(500);
        assertThat(promisedAt).isNotEmpty().allMatch(at -> at >= resumed + SUPPORT);
    }

    @Test
    void shortPausesDoNotSilence() {
        cluster.advance(1500);
        cluster.pause(N1);
        cluster.advance(SUPPORT - 1);
        recordPromisesOf(N1);
        cluster.resume(N1);
        cluster.advance(SUPPORT / 2);
        assertThat(promisedAt).isNotEmpty();
    }

    // It does not matter which one ranks better, because each of the two hears of the other one.
    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000})
    void equalTokensEndATenure(long stamp) {
        LoneNode node = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0);
        node.advance(100);
        node.contend(1, PATH);
        node.advance(1000);
        long token = node.tenure(1).token();
        node.list(PATH, N2, stamp, 0, token - 1);
        assertThat(node.tenure(1).isEnded()).as("a former leader").isFalse();
        node.list(PATH, N2, stamp, 0, token);
        assertThat(node.tenure(1).isEnded()).isTrue();
        assertThat(node.notes()).anyMatch(note -> note.contains("two processes may run under one voter's id"));
    }

    // A process that begins may follow a dead one, so its refusals are no news at first.
    @Test
    void refusalsOfVotersThatHaveVotedAreLogged() {
        LoneNode node = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0, List.of(N1, N2, N3));
        node.step(new NodeEvent.PlaceTaken(N2, OTHER, true));
        node.advance(3 * SUPPORT);
        assertThat(node.notes()).isEmpty();
        node.step(new NodeEvent.PlaceTaken(N2, OTHER, true));
        node.step(new NodeEvent.PlaceTaken(N2, OTHER, true));
        assertThat(node.notes())
                .singleElement()
                .asString()
                .startsWith("warning: n2 refuses this node, because another process under its id has its place");
    }

    @Test
    void refusalsAreExplained() {
        cluster.advance(1500);
        refuse(N1, N3);
        assertThat(cluster.node(N1).describe())
                .contains("in quarantine", "refused by n3: another process under this node's id has its place");
        cluster.advance(3 * SUPPORT);
        assertThat(cluster.node(N1).describe()).doesNotContain("quarantine", "refused");
    }
}
