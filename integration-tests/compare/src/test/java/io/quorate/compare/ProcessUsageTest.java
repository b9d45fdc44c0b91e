package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** That the kernel's figures are read from where they are. */
@EnabledOnOs(OS.LINUX)
class ProcessUsageTest {

    private static final int MANY = 50;
    private static final long WORK_NANOS = 50_000_000;

    private final long self = ProcessHandle.current().pid();

    @Test
    void socketsAreCounted() throws IOException {
        List<ServerSocket> opened = new ArrayList<>();
        long before = ProcessUsage.sockets(self);
        for (int i = 0; i < MANY; i++) {
            opened.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        long with = ProcessUsage.sockets(self);
        for (ServerSocket socket : opened) {
            socket.close();
        }
        // Another test of this JVM may have left some that are closed meanwhile, and opens some itself.
        assertThat(with).isBetween(before + MANY / 2, before + MANY + MANY / 2);
        assertThat(ProcessUsage.sockets(self)).isLessThan(with - MANY / 2);
    }

    @Test
    void cpuTimeGrowsWithWork() {
        long before = ProcessUsage.cpuNanos(self);
        Deadline.until(() -> ProcessUsage.cpuNanos(self) > before, before);
    }

    @Test
    void cpuTimeOfThreadsGrowsWithTheirWork() throws InterruptedException {
        Map<Long, Long> before = ProcessUsage.cpuNanosOfThreads(self);
        AtomicBoolean isDone = new AtomicBoolean();
        Thread busy = new Thread(
                () -> {
                    while (!isDone.get()) {
                        Thread.onSpinWait();
                    }
                },
                "busy");
        busy.start();
        Deadline.until(() -> Idling.grown(before, ProcessUsage.cpuNanosOfThreads(self)) >= WORK_NANOS, before);
        isDone.set(true);
        busy.join();
        assertThat(ProcessUsage.cpuNanosOfThreads(self)).as("each by itself").hasSizeGreaterThan(1);
    }

    @Test
    void threadsThatComeAndGoAreCountedOnce() {
        assertThat(Idling.grown(Map.of(1L, 500L, 2L, 9_000L), Map.of(1L, 700L, 3L, 40L)))
                .isEqualTo(240);
    }

    @Test
    void addedUsageIsSplitAmongItsProcesses() {
        assertThat(new Idling(50, 9, 1000, 30).addedTo(new Idling(10, 1, 200, 6), 4))
                .isEqualTo(new Idling(10, 2, 200, 6));
    }
}
