package io.quorate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 for nodes that listen later, and again after a restart: what was free when it was asked for must
 * not be given to somebody else meanwhile, here or in another JVM that uses this class.
 *
 * <p>So ports come in blocks. A JVM has a block as long as it listens at the first port of the block, and gives the
 * others away once. All threads may use it.
 */
public final class FreePorts {

    /**
     * Below the ports that Linux gives to outgoing connections: otherwise a peer's attempt to reach a dead node could
     * occupy that node's port, and it could not start again.
     */
    private static final int PORT_MIN = 15_000;

    private static final int BLOCK = 100;
    private static final int BLOCKS = 170;
    private static final int ATTEMPTS_MAX = 10 * BLOCKS;

    private static final List<ServerSocket> OWNED = new ArrayList<>();

    private static int next = 0;
    private static int end = 0;

    private FreePorts() {}

    /**
     * Finds a port.
     *
     * @return a port from 15,000 to 31,999 at which nobody listens; it is given once in the life of this JVM
     * @throws UncheckedIOException if all blocks are taken
     */
    public static synchronized int take() {
        while (true) {
            if (next == end) {
                own(freeBlock());
            }
            int port = next++;
            try (ServerSocket free = listen(port)) {
                return free.getLocalPort();
            } catch (IOException e) {
                // Justification: a stranger has it; the next one will do.
            }
        }
    }

    private static void own(ServerSocket first) {
        OWNED.add(first);
        next = first.getLocalPort() + 1;
        end = first.getLocalPort() + BLOCK;
    }

    private static ServerSocket freeBlock() {
        IOException last = null;
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            try {
                return listen(PORT_MIN + BLOCK * ThreadLocalRandom.current().nextInt(BLOCKS));
            } catch (IOException e) {
                last = e;
            }
        }
        throw new UncheckedIOException("no free ports", last);
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
