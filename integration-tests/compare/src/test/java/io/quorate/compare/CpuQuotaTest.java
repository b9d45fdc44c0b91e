package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.testkit.Deadline;
import io.quorate.testkit.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** That a process has the share that it is given, where control groups can be made. */
class CpuQuotaTest {

    private static final List<String> BUSY = List.of("sh", "-c", "while :; do :; done");
    private static final long RUN_MILLIS = 1000;
    private static final long BUSY_NANOS_MIN = 20_000_000;

    @Test
    @RealTime
    void aBusyProcessHasItsShare() throws IOException, InterruptedException {
        assumeTrue(CpuQuota.isPossible());
        try (CpuQuota quota = CpuQuota.of("test", 20)) {
            long begin = System.nanoTime();
            Process busy = new ProcessBuilder(quota.limit(BUSY)).start();
            try {
                TimeUnit.MILLISECONDS.sleep(RUN_MILLIS);
                // On a busy machine it may not have begun.
                Deadline.until(() -> ProcessUsage.cpuNanos(busy.pid()) >= BUSY_NANOS_MIN, "it works");
                double share = (double) ProcessUsage.cpuNanos(busy.pid()) / (System.nanoTime() - begin);
                // Without a quota it is one, or a half beside others; a period more or less is a tenth of this run.
                assertThat(share).isLessThan(0.35);
            } finally {
                busy.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void theGroupIsGoneWithItsProcess() throws IOException, InterruptedException {
        assumeTrue(CpuQuota.isPossible());
        CpuQuota quota = CpuQuota.of("gone", 50);
        Path group = Path.of(quota.limit(List.of()).get(3));
        assertThat(group).exists();
        Process busy = new ProcessBuilder(quota.limit(BUSY)).start();
        busy.destroyForcibly().waitFor();
        quota.close();
        quota.close();
        assertThat(Files.exists(group)).isFalse();
    }

    @Test
    void aShareThatIsNoneIsRefused() {
        for (int percent : new int[] {-1, 0, 101}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CpuQuota.of("wrong", percent))
                    .withMessage("quota " + percent + " %: must be 1 to 100 % of a processor");
        }
    }

    @Test
    void aContainerIsNamedByItsCores() {
        assertThat(Container.PERCENT_20.label()).isEqualTo("0.2 cores");
        assertThat(Container.PERCENT_10.label()).isEqualTo("0.1 cores");
    }
}
