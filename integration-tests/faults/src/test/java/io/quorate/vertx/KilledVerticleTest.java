package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.shedlock.KilledJobs;
import io.quorate.shedlock.KilledJobs.Run;
import io.quorate.testkit.RepeatedWhenStalled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The process of the verticle is killed again and again: there are never two, and soon there is the next one. */
@Timeout(900)
@ExtendWith(RepeatedWhenStalled.class)
class KilledVerticleTest {

    private static final int FEW = 2;
    private static final int MANY = 50;

    /** A lease, what an election takes (docs/protocol.md#timing), and a second for a machine that is busy. */
    private static final Duration NEXT_MAX = Duration.ofMillis(1_300 + 1_000);

    @Test
    void theVerticleOfAKilledProcessIsDeployedElsewhere(@TempDir Path directory) {
        killHolders(FEW, directory);
    }

    @Test
    @Tag("nemesis")
    void itIsDeployedWithinALease(@TempDir Path directory) {
        assertThat(killHolders(MANY, directory))
                .allSatisfy(gap -> assertThat(gap).isLessThan(NEXT_MAX));
    }

    /** Answers how long it took from each kill to the next verticle. */
    private static List<Duration> killHolders(int count, Path directory) {
        Random random = new Random(1);
        List<Duration> gaps = new ArrayList<>();
        try (KilledJobs jobs = new KilledJobs(SingletonNode.class, directory)) {
            long earlier = Long.MIN_VALUE;
            for (int i = 0; i < count; i++) {
                // All three vote when the next one is killed.
                jobs.awaitConnected();
                Run run = jobs.awaitRunAfter(earlier);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(400)));
                long killed = jobs.kill(run.node());
                Run next = jobs.awaitRunAfter(killed);
                assertThat(next.node()).as(jobs.describe()).isNotEqualTo(run.node());
                gaps.add(Duration.ofNanos(next.begin() - killed));
                jobs.start(run.node());
                earlier = killed;
            }
            KilledJobs.assertNeverTwice(jobs.runs());
            assertThat(jobs.runs()).as("those that were killed").hasSizeGreaterThanOrEqualTo(count);
        }
        gaps.sort(null);
        System.out.printf(
                "From SIGKILL of the process of a verticle to the next one: %d values, median %d ms, longest %d ms%n",
                count, gaps.get(count / 2).toMillis(), gaps.get(count - 1).toMillis());
        return gaps;
    }
}
