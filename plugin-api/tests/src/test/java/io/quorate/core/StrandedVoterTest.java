package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static io.quorate.core.Contexts.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.VotersWanted;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.Seat;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A voter all of whose fellow voters were replaced while it was away, and stopped: it believes a later list of which more
 * than half of the voters say so.
 */
class StrandedVoterTest {

    private static final String PATH = "/app";

    private final ChangingCluster nodes = new ChangingCluster(7);
    private final VirtualCluster cluster = nodes.cluster;

    /** n1 and n2 have brought n5 and n6 in while n3 was down, and are gone, as n4 is. All three that vote live. */
    private void replaceAllButN3() {
        replaceWhileN3IsDown();
        cluster.start(node(3));
    }

    private void replaceWhileN3IsDown() {
        nodes.start(4, 6);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(3000);
        cluster.crash(node(3));
        cluster.advance(2000);
        assertThat(nodes.change(2, 2, 3, 5)).isEqualTo("done");
        cluster.advance(3000);
        assertThat(nodes.change(5, 3, 5, 6)).isEqualTo("done");
        cluster.advance(3000);
        for (int gone : new int[] {1, 2, 4}) {
            cluster.crash(node(gone));
        }
        int first = cluster.contend(node(5), PATH);
        cluster.await("n5 leads", 10_000, () -> cluster.leaders(PATH).equals(nodes(5)));
        cluster.withdraw(node(5), first);
    }

    @Test
    void aListReachesAVoterAllOfWhoseFormerVotersAreGone() {
        replaceAllButN3();
        cluster.advance(60_000);
        assertThat(cluster.node(node(3)).voters())
                .isEqualTo(cluster.node(node(5)).voters());
    }

    // n3 and n6 are two of the three that vote, with their directories.
    @Test
    void twoOfThreeThatVoteLead() {
        replaceAllButN3();
        cluster.advance(60_000);
        cluster.crash(node(5));
        cluster.contend(node(6), PATH);
        cluster.advance(60_000);
        assertThat(cluster.leaders(PATH)).as(cluster::describe).hasSize(1);
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
        mine.start(4, 6);
        assertThat(mine.change(1, 1, 2, 3)).isEqualTo("done");
        own.advance(3000);
        own.crash(node(3));
        own.advance(2000);
        assertThat(mine.change(2, 2, 3, 5)).isEqualTo("done");
        own.advance(3000);
        assertThat(mine.change(5, 3, 5, 6)).isEqualTo("done");
        own.advance(3000);
        for (int gone : new int[] {1, 2, 4}) {
            own.crash(node(gone));
        }
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

    // One that was removed is one, whatever it says, and however long.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThatWasRemovedIsNotEnough(boolean isAlone) {
        nodes.start(4, 6);
        cluster.advance(3000);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(3000);
        VoterList now = cluster.node(node(3)).voters();
        cluster.isolate(node(3));
        cluster.advance(5000);
        VoterList madeUp = new VoterList(
                1000,
                0,
                isAlone
                        ? List.of(new VoterList.Member(node(4), 4711, Optional.empty()))
                        : List.of(
                                now.member(node(3)).orElseThrow(),
                                new VoterList.Member(node(4), 4711, Optional.empty()),
                                new VoterList.Member(node(5), 4712, Optional.empty())));
        for (int i = 0; i < 60; i++) {
            cluster.inject(node(4), cluster.incarnation(node(4)), node(3), new DecidedVoters(madeUp));
            cluster.advance(1000);
        }
        assertThat(cluster.node(node(3)).voters()).isEqualTo(now);
        cluster.heal();
        cluster.advance(5000);
        assertThat(cluster.node(node(1)).voters()).isEqualTo(now);
    }

    // Two say it, and it has its majority.
    @Test
    void whoeverHasAMajorityBelievesItsVotersAlone() {
        nodes.start(4, 6);
        cluster.advance(3000);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(3000);
        VoterList now = cluster.node(node(3)).voters();
        VoterList madeUp = new VoterList(
                1000,
                0,
                List.of(
                        new VoterList.Member(node(4), 4711, Optional.empty()),
                        new VoterList.Member(node(5), 4712, Optional.empty())));
        for (int i = 0; i < 60; i++) {
            for (int from = 4; from <= 5; from++) {
                cluster.inject(node(from), cluster.incarnation(node(from)), node(3), new DecidedVoters(madeUp));
            }
            cluster.advance(1000);
        }
        assertThat(cluster.node(node(3)).voters()).isEqualTo(now);
    }

    // n3 does not count itself, so n6 alone is not enough: one that was removed would be, too.
    @Test
    void whoWaitsForN5LosesNoMajority() {
        replaceWhileN3IsDown();
        cluster.crash(node(5));
        cluster.start(node(3));
        cluster.contend(node(6), PATH);
        cluster.advance(60_000);
        cluster.start(node(5));
        cluster.advance(60_000);
        cluster.crash(node(5));
        cluster.advance(10_000);
        assertThat(cluster.leaders(PATH)).as(cluster::describe).hasSize(1);
    }

    // The list changes again while it is stranded, and the sayers are at different numbers for a while.
    @Test
    void theListChangesAgainWhileAVoterIsStranded() {
        replaceAllButN3();
        cluster.advance(8000);
        NodeId more = node(7);
        cluster.add(VirtualCluster.settings(more, nodes(3, 5, 6)).joining());
        cluster.start(more);
        cluster.advance(3000);
        assertThat(nodes.change(5, 3, 5, 6, 7)).isEqualTo("done");
        cluster.advance(60_000);
        assertThat(cluster.node(node(3)).voters())
                .isEqualTo(cluster.node(node(5)).voters());
    }

    // n3 stays stranded, and 40 nodes that contend ask it for support.
    @Test
    void whoIsStrandedDoesNotAskEverybodyInEachPeriod() {
        replaceWhileN3IsDown();
        for (int i = 10; i < 50; i++) {
            cluster.add(VirtualCluster.settings(node(i), nodes(3, 5, 6)).joining());
            cluster.diskless(node(i));
            cluster.start(node(i));
            cluster.contend(node(i), PATH);
        }
        cluster.advance(5000);
        cluster.crash(node(5));
        cluster.start(node(3));
        cluster.advance(30_000);
        int[] count = {0, 0};
        cluster.network(flight -> {
            count[0] +=
                    flight.message() instanceof VotersWanted && flight.from().equals(node(3)) ? 1 : 0;
            count[1] += flight.message() instanceof DecidedVoters && flight.to().equals(node(3)) ? 1 : 0;
        });
        cluster.advance(10_000);
        assertThat(count[1])
                .as("15 in each of 50 periods, and those of its own list")
                .isLessThan(900);
    }

    // As many contend, too, as fill what is remembered of those outside.
    @ParameterizedTest
    @ValueSource(ints = {5, 20, 40})
    void theListReachesAVoterThatManyContendersSpeakTo(int contenders) {
        replaceWhileN3IsDown();
        for (int i = 10; i < 10 + contenders; i++) {
            cluster.add(VirtualCluster.settings(node(i), nodes(3, 5, 6)).joining());
            cluster.diskless(node(i));
            cluster.start(node(i));
            cluster.contend(node(i), PATH);
            cluster.advance(3);
        }
        cluster.advance(5000);
        cluster.start(node(3));
        cluster.advance(60_000);
        assertThat(cluster.node(node(3)).voters())
                .isEqualTo(cluster.node(node(5)).voters());
    }

    // Nobody lies. n3 and all contenders were without power: n3 since list 2, they since list 4. Meanwhile n6 and n7
    // have come to vote, with n3; n1, n2, n4 and n5 are gone for good. Two of three that vote live all the time.
    @ParameterizedTest
    @ValueSource(ints = {5, 20, 40})
    void theListReachesAVoterThatContendersOfAnOlderListSpeakTo(int contenders) {
        nodes.start(4, 7);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(3000);
        cluster.crash(node(3));
        cluster.advance(2000);
        for (int i = 10; i < 10 + contenders; i++) {
            cluster.add(VirtualCluster.settings(node(i), nodes(1, 2, 3, 4)).joining());
            cluster.start(node(i));
        }
        cluster.advance(3000);
        assertThat(nodes.change(2, 2, 3, 5)).isEqualTo("done");
        cluster.advance(3000);
        long older = nodes.number(2);
        for (int i = 10; i < 10 + contenders; i++) {
            assertThat(nodes.number(i)).isEqualTo(older);
            cluster.crash(node(i));
        }
        cluster.advance(3000);
        assertThat(nodes.change(5, 3, 5, 6)).isEqualTo("done");
        cluster.advance(3000);
        assertThat(nodes.change(6, 3, 6, 7)).isEqualTo("done");
        cluster.advance(3000);
        for (int gone : new int[] {1, 2, 4, 5}) {
            cluster.crash(node(gone));
        }
        for (int i = 10; i < 10 + contenders; i++) {
            cluster.start(node(i));
            cluster.contend(node(i), PATH);
            // Heartbeats have phases of their own.
            cluster.advance(3);
        }
        cluster.advance(2000);
        cluster.start(node(3));
        cluster.advance(60_000);
        assertThat(cluster.node(node(3)).voters())
                .isEqualTo(cluster.node(node(6)).voters());
        assertThat(nodes.number(10)).as("a contender").isEqualTo(nodes.number(6));
        cluster.contend(node(6), PATH);
        cluster.crash(node(7));
        cluster.advance(60_000);
        assertThat(cluster.leaders(PATH))
                .as("n3 and n6 live, and are two of three")
                .hasSize(1);
    }

    // The origin of a monotonic clock is anything, and so may be its sign.
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000_000_000_000L, -1_000_000_000_000_000L, Long.MAX_VALUE - 1_000_000})
    void aMajorityIsBelievedByAnyClock(long origin) {
        VoterList second = list(2, Contexts.N1, Contexts.N2, Contexts.N3);
        VoterList fifth = list(5, Contexts.N1, node(7), node(8));
        Node node = new Node(
                VirtualCluster.settings(Contexts.N1, Contexts.VOTERS),
                new HighestUp(),
                new Node.Birth(1, 1 << 20, true, 7, Optional.of(Seat.at(second))),
                (min, max) -> min);
        node.start(origin);
        for (int i = 1; i <= 600; i++) {
            long now = origin + i * 100_000_000L;
            node.step(now, NodeEvent.Wake.INSTANCE);
            node.step(now, new NodeEvent.Received(node(7), 5, new DecidedVoters(fifth)));
            node.step(now, new NodeEvent.Received(node(8), 6, new DecidedVoters(fifth)));
        }
        assertThat(node.voters()).as("after 60 support times").isEqualTo(fifth);
    }
}
