package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client says which of its leaders leave. */
class ElectionClientLeavingTest {

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    @AfterEach
    void close() {
        cluster.close();
    }

    /** A latch of n1 that leads, and one of n2 that waits. */
    private LeaderLatch leader(String path) throws Exception {
        LeaderLatch first = new LeaderLatch(cluster.client("n1"), path, "first");
        first.start();
        cluster.awaitLeader(path);
        new LeaderLatch(cluster.client("n2"), path, "second").start();
        cluster.advance(Duration.ofSeconds(2));
        return first;
    }

    @Test
    void leavingListsAPathUntilItsWorkEnds() throws Exception {
        CompletableFuture<Void> work = new CompletableFuture<>();
        LeaderLatch draining = leader("/draining");
        LeaderLatch other = leader("/other");
        draining.drain(leadership -> work, Duration.ofSeconds(40));
        ElectionClient client = cluster.client("n1");
        assertThat(client.leaving()).isEmpty();
        draining.transferTo("second");
        other.transferTo("second");
        cluster.advance(Duration.ofSeconds(5));
        SortedMap<String, String> leaving = client.leaving();
        assertThat(leaving).containsOnlyKeys("/draining");
        assertThat(leaving.get("/draining"))
                .startsWith("its work is being finished, for PT40S at most: it was transferred to n2");
        assertThat(cluster.client("n2").leaving()).isEmpty();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(leaving::clear);
        work.complete(null);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(client.leaving()).isEmpty();
    }

    @Test
    void lostLeaseEndsTheDeparture() throws Exception {
        LeaderLatch draining = leader("/draining");
        draining.drain(leadership -> new CompletableFuture<>(), Duration.ofSeconds(40));
        draining.resign();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.client("n1").leaving().get("/draining")).endsWith("it resigns");
        cluster.isolate("n1");
        cluster.advance(Duration.ofSeconds(5));
        assertThat(cluster.client("n1").leaving()).isEmpty();
    }
}
