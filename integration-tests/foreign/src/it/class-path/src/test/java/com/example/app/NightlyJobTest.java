package com.example.app;

// The example of docs/testing.md; what stands between the marks is there, word for word.
// docs: begin
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.FakeLeaderLatch;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class NightlyJobTest {

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    @Test
    void onlyOneRunsAndAnotherTakesOver() throws Exception {
        NightlyJob first = new NightlyJob(cluster.client("n1"));
        assertThat(cluster.awaitLeader("/jobs/nightly")).isEqualTo("n1");
        NightlyJob second = new NightlyJob(cluster.client("n2"));
        assertThat(first.run()).isTrue();
        assertThat(second.run()).isFalse();

        cluster.isolate("n1"); // or crash, pause, loss, clockRate ...
        cluster.awaitLeaderOtherThan("n1", "/jobs/nightly");
        assertThat(first.run()).isFalse();
        assertThat(second.run()).isTrue();

        cluster.heal();
        cluster.advance(Duration.ofSeconds(1)); // of virtual time: callbacks run in here
        assertThat(first.isScheduled()).isFalse();
        assertThat(second.isScheduled()).isTrue();
    }

    @Test
    void itIsScheduledWhileItLeads() throws Exception {
        FakeLeaderLatch latch = new FakeLeaderLatch("/jobs/nightly"); // no cluster at all
        NightlyJob job = new NightlyJob(latch);
        latch.grant();
        assertThat(job.isScheduled()).isTrue();
        latch.revoke();
        assertThat(job.isScheduled()).isFalse();
    }
}
// docs: end
