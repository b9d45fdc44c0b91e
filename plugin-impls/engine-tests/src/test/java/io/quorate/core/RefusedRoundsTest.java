package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.voters.Round;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounds of a change of voters, while one voter refuses each, or another coordinator proposes too. */
class RefusedRoundsTest {

    private static void lie(VirtualCluster cluster) {
        cluster.network(flight -> {
            if (flight.message() instanceof Prepare asked
                    && flight.to().equals(node(3))
                    && !flight.from().equals(node(3))) {
                Round later = new Round(NodeMessage.NUMBER_MAX, node(3), 1);
                cluster.inject(
                        node(3),
                        cluster.incarnation(node(3)),
                        node(1),
                        new NotPromised(2, asked.round(), Optional.of(later), 0, ""));
            }
        });
    }

    // n3 agrees to nothing, and either says so, each time, or is silent; of n2's promises some are lost.
    @ParameterizedTest
    @CsvSource({"60, true", "80, true", "80, false"})
    void promisesAreLost(int percent, boolean lies) {
        int done = 0;
        for (int seed = 1; seed <= 10; seed++) {
            ChangingCluster nodes = new ChangingCluster(seed);
            VirtualCluster cluster = nodes.cluster;
            nodes.start(3, 5);
            Random random = new Random(seed);
            cluster.drop(flight -> flight.message() instanceof Promise
                    && (flight.from().equals(node(3)) || random.nextInt(100) < percent));
            if (lies) {
                lie(cluster);
            }
            String end = nodes.change(1, 1, 2, 3, 4);
            done += end.equals("done") ? 1 : 0;
        }
        assertThat(done).isEqualTo(10);
    }

    // Two coordinators at once, and the way is long.
    @ParameterizedTest
    @CsvSource({"1", "60", "120", "200", "300"})
    void twoCoordinators(int oneWayMillis) {
        ChangingCluster nodes = new ChangingCluster(7);
        VirtualCluster cluster = nodes.cluster;
        nodes.start(3, 5);
        cluster.delays(1000 * oneWayMillis - 500, 1000 * oneWayMillis);
        cluster.advance(5000);
        cluster.changeVoters(node(1), 1, ChangingCluster.nodes(1, 2, 3, 4));
        cluster.advance(oneWayMillis);
        cluster.changeVoters(node(2), 1, ChangingCluster.nodes(1, 2, 3, 5));
        cluster.await(
                "both end",
                300_000,
                () -> cluster.changes(node(1)).size() == 1
                        && cluster.changes(node(2)).size() == 1);
        assertThat(List.of(
                        cluster.changes(node(1)).get(0),
                        cluster.changes(node(2)).get(0)))
                .contains("done");
    }
}
