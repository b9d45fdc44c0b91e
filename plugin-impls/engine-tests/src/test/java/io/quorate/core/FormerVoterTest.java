package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node that votes no more keeps of the time when it did, and of the time before. */
class FormerVoterTest {

    private final ChangingCluster nodes = new ChangingCluster(7);
    private final VirtualCluster cluster = nodes.cluster;

    // What it kept for votes that counted when it left is no page for ever, also if it votes again.
    @Test
    void itKeepsNoPagesOfPathsThatEndedMeanwhile() {
        nodes.start(3, 3);
        List<Integer> contenders = IntStream.range(0, 50)
                .mapToObj(i -> cluster.contend(node(1), "/path" + i))
                .toList();
        cluster.await("n1 leads", 20_000, () -> cluster.leaders("/path49").equals(nodes(1)));
        cluster.advance(3000);
        assertThat(cluster.node(node(3)).pageCount()).isEqualTo(50);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
        cluster.advance(3000);
        contenders.forEach(contender -> cluster.withdraw(node(1), contender));
        cluster.advance(5000);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(3000);
        assertThat(cluster.node(node(3)).votes()).isTrue();
        assertThat(cluster.node(node(3)).pageCount()).isZero();
    }

    // n4 is in nobody's settings. What it says of voters counts while it may be a coordinator that has just left.
    @Test
    void itIsBelievedForAWhileThoughNothingElseChanges() {
        nodes.start(3, 4);
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        assertThat(refusedOfN4()).isZero();
        cluster.advance(12_000);
        assertThat(refusedOfN4()).isEqualTo(1);
    }

    private long refusedOfN4() {
        long before = cluster.node(node(1)).messagesRefused();
        cluster.inject(
                node(4),
                cluster.incarnation(node(4)),
                node(1),
                new DecidedVoters(cluster.node(node(1)).voters()));
        return cluster.node(node(1)).messagesRefused() - before;
    }

    // It goes by what it is told again: what it was told before it voted is old.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoeverVotesNoMoreDoesNotBelieveOldReports(boolean isDead) {
        nodes.start(3, 5);
        if (!isDead) {
            cluster.crash(node(5));
            cluster.advance(2000);
        }
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        if (isDead) {
            cluster.crash(node(5));
        } else {
            cluster.start(node(5));
        }
        cluster.advance(5000);
        assertThat(cluster.node(node(4)).isUp(node(5))).isEqualTo(!isDead);
        cluster.changeVoters(node(1), 2, nodes(1, 2, 3));
        for (int i = 0; i < 3000; i++) {
            cluster.advance(1);
            assertThat(cluster.node(node(4)).isUp(node(5)))
                    .as("n5 is up, %d ms after the change was asked for", i)
                    .isEqualTo(!isDead);
        }
        assertThat(nodes.number(4)).isEqualTo(3);
    }
}
