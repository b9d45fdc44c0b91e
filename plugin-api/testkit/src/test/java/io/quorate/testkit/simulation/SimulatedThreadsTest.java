package io.quorate.testkit.simulation;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.Notes;
import io.quorate.testkit.SimulatedCluster;
import java.io.EOFException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The application's own threads, in real time, beside the test's. */
@Timeout(60)
class SimulatedThreadsTest {

    private static final String PATH = "/p";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    @AfterEach
    void close() {
        cluster.close();
    }

    /** A thread of the application that waits in a call. */
    private static <T> FutureTask<T> waiting(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(thread.getState()).as("it did not wait").isNotEqualTo(Thread.State.TERMINATED);
            Thread.onSpinWait();
        }
        return task;
    }

    private LeaderLatch started(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node);
        latch.start();
        return latch;
    }

    // It waits although nobody lets time pass; and it is not the thread that lets it pass.
    @Test
    void aThreadInAwaitIsWokenWhenItsLatchLeads() throws Exception {
        LeaderLatch latch = started("n1");
        FutureTask<Boolean> led = waiting(() -> {
            latch.await();
            return latch.hasLeadership();
        });
        assertThat(cluster.now()).isZero();
        assertThat(led.isDone()).isFalse();
        cluster.awaitLeader(PATH);
        assertThat(led.get(5, SECONDS)).isTrue();
    }

    @Test
    void aThreadInAwaitIsWokenByTheCrashOfItsNode() throws Exception {
        started("n1").await();
        LeaderLatch latch = started("n2");
        FutureTask<Object> waits = waiting(() -> {
            latch.await();
            return "leads";
        });
        cluster.crash("n2");
        assertThatThrownBy(() -> waits.get(5, SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(EOFException.class);
    }

    // A node that does not vote knows nothing of a path of which it has not asked before.
    @Test
    void aThreadThatAsksIsAnsweredWhileTimePasses() throws Exception {
        SimulatedCluster larger = new SimulatedCluster(
                ClusterSettings.ofVoters(3).contenders(1).algorithm(new HighestUp()));
        try (larger) {
            LeaderLatch outsider = new LeaderLatch(larger.client("c1"), PATH);
            LeaderLatch latch = new LeaderLatch(larger.client("n1"), PATH, "n1");
            latch.start();
            latch.await();
            larger.advance(SECOND);
            FutureTask<String> asks = waiting(() -> outsider.getLeader().getId());
            assertThat(asks.isDone()).isFalse();
            larger.advance(SECOND);
            assertThat(asks.get(5, SECONDS)).isEqualTo("n1");
        }
    }

    // The locks of latches, of clients and of the cluster are taken in one order: nobody waits for ever.
    @Test
    void threadsMayOpenAndCloseLatchesWhileTimePasses() throws Exception {
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (String node : cluster.nodes()) {
            ElectionClient client = cluster.client(node);
            FutureTask<Integer> task = new FutureTask<>(() -> openAndClose(client));
            tasks.add(task);
            new Thread(task).start();
        }
        while (tasks.stream().anyMatch(task -> !task.isDone())) {
            cluster.advance(Duration.ofMillis(20));
        }
        for (FutureTask<Integer> task : tasks) {
            assertThat(task.get()).isPositive();
        }
        assertThat(cluster.leader(PATH)).isEmpty();
        cluster.advance(SECOND);
    }

    private int openAndClose(ElectionClient client) throws Exception {
        int asked = 0;
        for (int i = 0; i < 200; i++) {
            try (LeaderLatch latch = new LeaderLatch(client, PATH, "", CloseMode.NOTIFY_LEADER)) {
                latch.addListener(new Notes(cluster));
                latch.start();
                latch.await(2, MILLISECONDS);
                asked += latch.hasLeadership() ? 1 : latch.getParticipants().size() + 1;
            }
        }
        return asked;
    }
}
