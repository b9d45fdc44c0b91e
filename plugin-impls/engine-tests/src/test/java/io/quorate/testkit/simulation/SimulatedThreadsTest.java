package io.quorate.testkit.simulation;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.WaitingCall;
import java.io.EOFException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The application's own threads, in real time, beside the test's. */
class SimulatedThreadsTest {

    private static final String PATH = "/p";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));

    @AfterEach
    void close() {
        cluster.close();
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
        WaitingCall<Boolean> led = WaitingCall.begun(() -> {
            latch.await();
            return latch.hasLeadership();
        });
        assertThat(cluster.now()).isZero();
        assertThat(led.isDone()).isFalse();
        cluster.awaitLeader(PATH);
        assertThat(led.awaitAnswer()).isTrue();
    }

    @Test
    void aThreadInAwaitIsWokenByTheCrashOfItsNode() throws Exception {
        started("n1").await();
        LeaderLatch latch = started("n2");
        WaitingCall<String> waits = WaitingCall.begun(() -> {
            latch.await();
            return "leads";
        });
        assertThat(waits.isDone()).isFalse();
        cluster.crash("n2");
        assertThatThrownBy(waits::awaitAnswer).isInstanceOf(EOFException.class);
    }

    // A node that does not vote knows nothing of a path of which it has not asked before.
    @Test
    void aThreadThatAsksIsAnsweredWhileTimePasses() throws Exception {
        SimulatedCluster larger =
                new SimulatedCluster(ClusterSettings.ofVoters(3).contenders(1).algorithm(new HighestUp()));
        try (larger) {
            LeaderLatch outsider = new LeaderLatch(larger.client("c1"), PATH);
            LeaderLatch latch = new LeaderLatch(larger.client("n1"), PATH, "n1");
            latch.start();
            latch.await();
            larger.advance(SECOND);
            WaitingCall<String> asks =
                    WaitingCall.begun(() -> outsider.getLeader().getId());
            assertThat(asks.isDone()).isFalse();
            larger.advance(SECOND);
            assertThat(asks.awaitAnswer()).isEqualTo("n1");
        }
    }

    // The locks of latches, of clients and of the cluster are taken in one order: nobody waits for ever.
    @Test
    void threadsMayOpenAndCloseLatchesWhileTimePasses() throws Exception {
        List<WaitingCall<Integer>> tasks = new ArrayList<>();
        for (String node : cluster.nodes()) {
            ElectionClient client = cluster.client(node);
            tasks.add(new WaitingCall<>(() -> openAndClose(client)));
        }
        while (tasks.stream().anyMatch(task -> !task.isDone())) {
            cluster.advance(Duration.ofMillis(20));
        }
        for (WaitingCall<Integer> task : tasks) {
            assertThat(task.answer()).isPositive();
        }
        assertThat(cluster.leader(PATH)).isEmpty();
        cluster.advance(SECOND);
    }

    private int openAndClose(ElectionClient client) throws Exception {
        int asked = 0;
        for (int i = 0; i < 200; i++) {
            try (LeaderLatch latch = new LeaderLatch(client, PATH, "", CloseMode.NOTIFY_LEADER)) {
                latch.addListener(new RecordingListener());
                latch.start();
                // Justification: virtual time, which passes by itself.
                latch.await(2, MILLISECONDS);
                asked += latch.hasLeadership() ? 1 : latch.getParticipants().size() + 1;
            }
        }
        return asked;
    }
}
