package io.quorate.contract;

import io.quorate.demo.Cluster;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** One embedded ZooKeeper, which can be stopped, started again at the same port, and emptied. */
final class ZooKeeperServer implements Closeable {

    /** ZooKeeper allows sessions of 2 to 20 ticks, and ends them at a tick. */
    private static final int TICK_MILLIS = 250;

    private final int port;
    private TestingServer server;
    private boolean isRunning;

    ZooKeeperServer() {
        port = Integer.parseInt(Cluster.freeAddresses(List.of("zk")).get("zk").split(":")[1]);
        wipe();
    }

    int port() {
        return port;
    }

    void stop() {
        try {
            server.stop();
            isRunning = false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void start() {
        if (isRunning) {
            return;
        }
        try {
            server.restart();
            isRunning = true;
        } catch (Exception e) {
            // Justification: declared by TestingServer; without a server no test can go on.
            throw new AssertionError("ZooKeeper does not start", e);
        }
    }

    /** Starts with an empty directory. */
    void wipe() {
        try {
            close();
            File none = null;
            server = new TestingServer(new InstanceSpec(none, port, -1, -1, true, 1, TICK_MILLIS, -1), true);
            isRunning = true;
        } catch (Exception e) {
            // Justification: declared by TestingServer; without a server no test can go on.
            throw new AssertionError("ZooKeeper does not start", e);
        }
    }

    @Override
    public void close() {
        if (server == null) {
            return;
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
