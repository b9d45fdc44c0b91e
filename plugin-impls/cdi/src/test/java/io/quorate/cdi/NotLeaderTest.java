package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quarkus.scheduler.ScheduledExecution;
import io.quarkus.scheduler.Trigger;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scheduler of Quarkus hears which runs are skipped. */
class NotLeaderTest {

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    /** A run of a method, as the scheduler describes it. */
    private record Run(String method) implements ScheduledExecution, Trigger {
        @Override
        public Trigger getTrigger() {
            return this;
        }

        @Override
        public String getMethodDescription() {
            return method;
        }

        @Override
        public String getId() {
            return "1";
        }

        @Override
        public Instant getFireTime() {
            return Instant.EPOCH;
        }

        @Override
        public Instant getScheduledFireTime() {
            return Instant.EPOCH;
        }

        @Override
        public Instant getNextFireTime() {
            return Instant.EPOCH;
        }

        @Override
        public Instant getPreviousFireTime() {
            return Instant.EPOCH;
        }

        @Override
        public boolean isOverdue() {
            return false;
        }
    }

    @Singleton
    static class Job {
        @LeaderOnly("/${part:job}")
        void run() {}

        void everywhere() {}
    }

    @Test
    void aRunIsSkippedWhereItsPathIsNotLed() {
        ScheduledExecution run = new Run(Job.class.getName() + "#run");
        try (Application first = Application.with(cluster.client("n1"), Map.of(), Job.class);
                Application second = Application.with(cluster.client("n2"), Map.of(), Job.class)) {
            NotLeader onFirst = first.get(NotLeader.class);
            assertThat(onFirst.test(run)).isTrue();
            String leader = cluster.awaitLeader("/job");
            assertThat(onFirst.test(run)).isEqualTo(!leader.equals("n1"));
            assertThat(second.get(NotLeader.class).test(run)).isEqualTo(!leader.equals("n2"));
            assertThatIllegalStateException()
                    .isThrownBy(() -> onFirst.test(new Run(Job.class.getName() + "#everywhere")))
                    .withMessage("skipExecutionIf = NotLeader.class of " + Job.class.getName()
                            + "#everywhere: the method must be @LeaderOnly");
            // A job that a program adds to the scheduler has none.
            assertThatIllegalStateException()
                    .isThrownBy(() -> onFirst.test(new Run(null)))
                    .withMessage("skipExecutionIf = NotLeader.class of null: the method must be @LeaderOnly");
        }
    }
}
