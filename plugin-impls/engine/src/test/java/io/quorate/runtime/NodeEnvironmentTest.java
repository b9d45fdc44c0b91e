package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The threads and the chance of a real node. */
class NodeEnvironmentTest {

    @Test
    void bothEndsOfARangeAreDrawn() {
        Set<Long> drawn = new TreeSet<>();
        for (int i = 0; i < 1_000; i++) {
            drawn.add(NodeEnvironment.REAL.jitter().between(3, 5));
        }
        assertThat(drawn).as("1 of 10^176 runs misses one").containsExactly(3L, 4L, 5L);
        assertThat(NodeEnvironment.REAL.jitter().between(7, 7)).isEqualTo(7);
    }

    // What comes after the close is dropped: a write that nobody waits for ends nobody's thread.
    @Test
    void theDiskHasADaemonThreadThatTakesNothingAfterItsEnd() throws Exception {
        ExecutorService disk = NodeEnvironment.REAL.diskThread();
        Callable<Boolean> isDaemon = () -> Thread.currentThread().isDaemon();
        assertThat(disk.submit(isDaemon).get(600, TimeUnit.SECONDS)).isTrue();
        disk.shutdown();
        disk.execute(() -> {
            throw new AssertionError("it has ended");
        });
        assertThat(disk.awaitTermination(600, TimeUnit.SECONDS)).isTrue();
    }
}
