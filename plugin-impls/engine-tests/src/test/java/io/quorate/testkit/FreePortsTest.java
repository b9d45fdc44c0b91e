package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No port is given twice, and none at which somebody listens. */
class FreePortsTest {

    /** More than a block has. */
    private static final int MANY = 250;

    @Test
    void eachPortIsGivenOnceAndIsFree() throws Exception {
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            int port = FreePorts.take();
            assertThat(given.add(port)).as("port %d", port).isTrue();
            // Nobody's: below the ports of outgoing connections, and one can listen there.
            assertThat(port).isBetween(15_000, 32_000);
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        }
    }

    @Test
    void aPortAtWhichAStrangerListensIsLeftOut() throws Exception {
        int before = FreePorts.take();
        try (ServerSocket stranger = new ServerSocket()) {
            // At the end of a block the next port may be somebody's already; then the next pair will do.
            while (!isBound(stranger, before + 1)) {
                before = FreePorts.take();
            }
            assertThat(FreePorts.take()).isNotIn(before, stranger.getLocalPort());
        }
    }

    private static boolean isBound(ServerSocket socket, int port) {
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
