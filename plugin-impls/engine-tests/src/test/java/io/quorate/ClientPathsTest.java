package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client says and does about a path for whoever has no latch. */
class ClientPathsTest {

    private static final String PATH = "/app/leader";

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    @BeforeEach
    void contend() throws Exception {
        for (String node : cluster.nodes()) {
            latch(node, PATH, node);
            cluster.awaitLeader(PATH);
        }
        cluster.advance(Profile.DEFAULT.supportDuration());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LeaderLatch latch(String node, String path, String id) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), path, id);
        latch.start();
        return latch;
    }

    private void transfer(String node, String path, String participantId) {
        CompletableFuture<Void> done =
                cluster.client(node).transferTo(path, participantId).toCompletableFuture();
        cluster.awaitUntil("it is transferred", done::isDone);
        assertThat(done).isCompleted();
    }

    private Throwable failure(CompletionStage<Void> transfer) {
        CompletableFuture<Void> done = transfer.toCompletableFuture();
        cluster.awaitUntil("it is refused", done::isDone);
        return catchThrowable(done::get).getCause();
    }

    @Test
    void aClientSaysWhichNodeOfWhichClusterItIs() {
        assertThat(cluster.client("n2").nodeId()).isEqualTo("n2");
        assertThat(cluster.client("n2").clusterId()).isEqualTo("simulated");
        // In every state.
        ElectionClient closed = Clients.over(new FakeEngine());
        assertThat(closed.nodeId()).isEqualTo("fake");
        closed.close();
        assertThat(closed.clusterId()).isEqualTo("fake");
    }

    @Test
    void eachContenderExplainsItsPath() {
        Explanation leading = cluster.client("n1").explain(PATH).orElseThrow();
        assertThat(leading.leaseLeft()).isPresent();
        assertThat(leading.fencingToken())
                .hasValue(cluster.client("n1").health().leads().get(PATH));
        Explanation waiting = cluster.client("n2").explain(PATH).orElseThrow();
        assertThat(waiting.latch()).isEqualTo("Latch /app/leader of n2");
        assertThat(waiting.leaseLeft()).isEmpty();
        assertThat(waiting.leader()).contains(new Explanation.Contender("n1", "n1", true, 1));
    }

    @Test
    void whereItDoesNotContendThereIsNothingToExplain() throws Exception {
        ElectionClient client = cluster.client("n1");
        assertThat(client.explain("/other")).isEmpty();
        assertThat(client.explain("no path at all")).isEmpty();
        try (LeaderObserver observer = new LeaderObserver(client, "/other")) {
            observer.start();
            assertThat(client.explain("/other")).isEmpty();
            LeaderLatch beside = latch("n1", "/other", "n1");
            assertThat(client.explain("/other")).isPresent();
            beside.close();
            assertThat(client.explain("/other")).isEmpty();
        }
        assertThatNullPointerException().isThrownBy(() -> client.explain(null)).withMessage("path");
    }

    @Test
    void ofSeveralLatchesItAsksTheOneThatLeads() throws Exception {
        ElectionClient client = cluster.client("n1");
        LeaderLatch first = latch("n1", "/two", "first");
        cluster.awaitUntil("the first leads", first::hasLeadership);
        LeaderLatch second = latch("n1", "/two", "second");
        assertThat(client.explain("/two").orElseThrow().latch()).isEqualTo("Latch /two of first");
        // It has joined by then.
        cluster.advance(Profile.DEFAULT.supportDuration());
        first.resign();
        cluster.awaitUntil("the second leads", second::hasLeadership);
        assertThat(client.explain("/two").orElseThrow().latch()).isEqualTo("Latch /two of second");
        // Whoever has resigned is in the queue again a little later.
        cluster.advance(Profile.DEFAULT.supportDuration());
        transfer("n1", "/two", "first");
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void leadershipIsTransferredByPath() {
        transfer("n1", PATH, "n3");
        assertThat(cluster.client("n3").health().leads()).containsOnlyKeys(PATH);
    }

    @Test
    void aTransferOfWhatItDoesNotLeadIsRefused() {
        assertThat(failure(cluster.client("n2").transferTo(PATH, "n3")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Not leading /app/leader: leadership cannot be transferred to 'n3'");
        assertThat(failure(cluster.client("n1").transferTo("/other", "n3")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Not contending on /other: leadership cannot be transferred to 'n3'");
        assertThat(failure(cluster.client("n1").transferTo(PATH, "nobody")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatNullPointerException().isThrownBy(() -> cluster.client("n1").transferTo(PATH, null));
        assertThat(cluster.client("n1").health().leads()).containsOnlyKeys(PATH);
    }
}
