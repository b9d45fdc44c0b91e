package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** That the kernel's figures are read from where they are. */
@EnabledOnOs(OS.LINUX)
class ProcessUsageTest {

    private static final int MANY = 50;

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
        // Another test of this JVM may have left some that are closed meanwhile.
        assertThat(with).isBetween(before + MANY / 2, before + MANY);
        assertThat(ProcessUsage.sockets(self)).isLessThanOrEqualTo(with - MANY);
    }

    @Test
    void cpuTimeGrowsWithWork() {
        long before = ProcessUsage.cpuNanos(self);
        long begin = System.nanoTime();
        while (ProcessUsage.cpuNanos(self) == before) {
            assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.MINUTES.toNanos(1));
        }
        assertThat(ProcessUsage.cpuNanos(self)).isGreaterThan(before);
    }

    @Test
    void whatIsAddedIsSharedAmongThoseWhoAddedIt() {
        assertThat(new Idling(50, 1000, 30).addedTo(new Idling(10, 200, 6), 4)).isEqualTo(new Idling(10, 200, 6));
    }
}
