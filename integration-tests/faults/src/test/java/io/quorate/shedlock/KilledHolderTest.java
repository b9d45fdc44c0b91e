package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.shedlock.KilledJobs.Run;
import io.quorate.testkit.RealTime;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The process that runs a job is killed again and again: the job never runs twice at one time, and soon elsewhere. */
class KilledHolderTest {

    private static final int FEW = 2;
    private static final int MANY = 50;

    /** A lease, and what an election takes: docs/protocol.md#timing. */
    private static final Duration FAILOVER = Duration.ofMillis(1_300);

    @RealTime
    @Test
    void aJobOfAKilledHolderRunsElsewhere(@TempDir Path directory) {
        killHolders(FEW, directory);
    }

    @Test
    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    void itRunsWithinALeaseAndAPeriod(@TempDir Path directory) {
        List<Duration> gaps = killHolders(MANY, directory);
        assertThat(gaps).allSatisfy(gap -> assertThat(gap).isLessThan(FAILOVER.plus(JobNode.PERIOD)));
    }

    /** Answers how long it took from each kill to the next run. */
    private static List<Duration> killHolders(int count, Path directory) {
        Random random = new Random(1);
        List<Duration> gaps = new ArrayList<>();
        try (KilledJobs jobs = new KilledJobs(JobNode.Kind.LOCK, directory)) {
            for (int i = 0; i < count; i++) {
                // A voter is silent for a second after its start, and all three vote when the next one is killed.
                Run quiet = jobs.awaitRunAfter(jobs.awaitConnected());
                Run run = jobs.awaitRunAfter(jobs.awaitRunAfter(quiet.begin()).begin());
                // In the middle of the run, or in the pause after it.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(400)));
                long killed = jobs.kill(run.node());
                Run next = jobs.awaitRunAfter(killed);
                assertThat(next.node()).as(jobs::describe).isNotEqualTo(run.node());
                gaps.add(Duration.ofNanos(next.begin() - killed));
                jobs.start(run.node());
            }
            KilledJobs.assertNeverTwice(jobs.runs());
        }
        gaps.sort(null);
        System.out.printf(
                "From SIGKILL of the holder to the next run: %d values, median %d ms, longest %d ms%n",
                count, gaps.get(count / 2).toMillis(), gaps.get(count - 1).toMillis());
        return gaps;
    }
}
