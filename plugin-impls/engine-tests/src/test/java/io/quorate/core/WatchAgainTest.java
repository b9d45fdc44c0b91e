package io.quorate.core;

import static io.quorate.core.Contexts.N1;

import io.quorate.core.step.NodeEvent;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node forgets a path and comes back to it before the voters have heard that it had left. */
class WatchAgainTest {

    private static final String PATH = "/app/leader";

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 5, new HighestUp());

    private void watch(boolean wanted) {
        cluster.step(N1, new NodeEvent.WatchPath(PATH, wanted));
    }

    // The pauses decide which of the changes travel together.
    @Test
    void aPathThatIsContendedForAgainAtOnceIsLedAgain() {
        for (int pause = 0; pause <= 4; pause++) {
            cluster.advance(1500);
            int number = cluster.contend(N1, PATH);
            cluster.await("it leads", 1000, () -> cluster.leaders(PATH).equals(List.of(N1)));
            cluster.advance(pause % 2);
            watch(true);
            cluster.advance(pause / 2);
            cluster.withdraw(N1, number);
            watch(false);
            int next = cluster.contend(N1, PATH);
            watch(true);
            cluster.await("a view", 500, () -> cluster.view(N1, PATH).isPresent());
            cluster.await("it leads again", 1000, () -> cluster.leaders(PATH).equals(List.of(N1)));
            cluster.withdraw(N1, next);
            watch(false);
        }
    }
}
