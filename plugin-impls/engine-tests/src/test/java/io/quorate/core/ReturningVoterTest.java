package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.NodeEvent;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * n3 votes no more, and soon again, within the support that it gave to n5. One of the two has seen that, and has
 * forgotten what n5 had reported; the other one has not. n1, n2 and n3 vote, and n5 contends.
 */
class ReturningVoterTest {

    private static final String PATH = "/app";

    private final ChangingCluster nodes = new ChangingCluster(7);
    private final VirtualCluster cluster = nodes.cluster;

    private void start() {
        nodes.start(3, 6);
        cluster.contend(node(1), PATH);
        cluster.await("n1 leads", 5000, () -> !cluster.leaders(PATH).isEmpty());
    }

    /** The others have decided that n3 leaves, and neither n3 nor n5 knows. */
    private void leave() {
        cluster.isolate(node(3), node(5));
        cluster.advance(1000);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
        cluster.advance(2000);
        cluster.heal();
    }

    /** The same; n5 hears of it, and n3 does not. */
    private void leaveAsN5Sees() {
        leave();
        cluster.cut(node(3), node(5));
        cluster.drop(flight -> flight.to().equals(node(3))
                && flight.message() instanceof DecidedVoters told
                && told.config().number() == 2);
        cluster.await("n5 knows that it left", 2000, () -> nodes.number(5) == 2);
    }

    private void comeBackAsN5Sees() {
        comeBack();
        cluster.await("n5 knows that it votes again", 2000, () -> nodes.number(5) == 3);
        cluster.heal();
        cluster.advance(5000);
    }

    private void comeBack() {
        cluster.changeVoters(node(1), 2, ChangingCluster.nodes(1, 2, 3));
        cluster.await("n3 votes again", 2000, () -> nodes.number(3) == 3);
    }

    // n5 has forgotten what it had reported to n3, which still has that.
    @Test
    void contenderThatSawTheVoterLeaveIsListedAgain() {
        start();
        for (int i = 0; i < 5; i++) {
            cluster.contend(node(5), PATH + i);
            cluster.advance(500);
        }
        leaveAsN5Sees();
        comeBackAsN5Sees();
        cluster.crash(node(2));
        cluster.advance(3000);
        cluster.contend(node(5), "/late");
        cluster.await(
                "n1 and n3 have it lead", 5000, () -> cluster.leaders("/late").equals(ChangingCluster.nodes(5)));
    }

    // What n5 has forgotten it cannot take back: n3 would list it for ever.
    @Test
    void pathsLeftMeanwhileAreNotListed() {
        start();
        int number = cluster.contend(node(5), "/gone");
        cluster.contend(node(5), "/kept");
        cluster.advance(500);
        leaveAsN5Sees();
        cluster.withdraw(node(5), number);
        comeBackAsN5Sees();
        List<String> told = new ArrayList<>();
        cluster.network(flight -> {
            if (flight.message() instanceof Listings
                    && flight.from().equals(node(3))
                    && flight.to().equals(node(6))) {
                told.add(flight.message().toString());
            }
        });
        cluster.step(node(6), new NodeEvent.WatchPath("/gone", true));
        cluster.step(node(6), new NodeEvent.WatchPath("/kept", true));
        cluster.advance(1000);
        assertThat(told)
                .anyMatch(each -> each.contains("path=/kept") && each.contains("participantId=n5"))
                .anyMatch(each -> each.contains("path=/gone"))
                .noneMatch(each -> each.contains("path=/gone") && each.contains("participantId=n5"));
    }

    // n3 has ended the session in which n5 was told, and n5 waits for what follows in it.
    @Test
    void contenderThatDidNotSeeTheVoterLeaveIsToldAgain() {
        start();
        cluster.step(node(5), new NodeEvent.WatchPath(PATH, true));
        cluster.advance(2000);
        leave();
        cluster.isolate(node(5));
        cluster.await("n3 knows that it left", 2000, () -> nodes.number(3) == 2);
        comeBack();
        assertThat(nodes.number(5)).isEqualTo(1);
        cluster.heal();
        cluster.advance(5000);
        assertThat(nodes.number(5)).isEqualTo(3);
        int[] told = {0};
        cluster.network(flight -> {
            boolean isNews = flight.message() instanceof Listings
                    && flight.from().equals(node(3))
                    && flight.to().equals(node(5));
            told[0] += isNews ? 1 : 0;
        });
        cluster.contend(node(6), PATH);
        cluster.advance(2000);
        assertThat(told[0]).as("listings of n3").isPositive();
    }
}
