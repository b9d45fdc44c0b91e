package io.quorate.tcp;

import io.quorate.transport.Admission;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Takes connections from the port, as many as {@link Admission} lets in. Confined to the loop. */
final class Acceptor {

    private static final long PAUSE_NANOS = 100_000_000;

    private final @Nullable ServerSocketChannel server;
    private final Selector selector;
    private final @Nullable SelectionKey accepting;
    private final Alarm alarm;
    private final Peers peers;
    private final Counters counters;
    private final Reports reports;
    private final ConnectionEvents events;
    private final Admission admission;
    private boolean isPaused;
    private long acceptAt;

    /** @param server null if this node listens nowhere */
    Acceptor(
            @Nullable ServerSocketChannel server,
            Selector selector,
            Alarm alarm,
            Peers peers,
            Counters counters,
            Reports reports,
            ConnectionEvents events)
            throws IOException {
        this.server = server;
        this.selector = selector;
        this.alarm = alarm;
        this.peers = peers;
        this.counters = counters;
        this.reports = reports;
        this.events = events;
        this.admission = new Admission(peers::listed, alarm.now());
        this.accepting = server == null ? null : server.register(selector, SelectionKey.OP_ACCEPT);
    }

    boolean owns(SelectionKey key) {
        return key == accepting;
    }

    void accept() {
        if (server == null || accepting == null) {
            return;
        }
        try {
            // No more at once than pass in a second: the others wait in the system.
            for (int i = 0; i < Admission.RATE; i++) {
                SocketChannel channel = server.accept();
                if (channel == null) {
                    return;
                }
                accepted(channel);
            }
        } catch (IOException e) {
            // As a rule the process has no file descriptor left: waiting callers are accepted later.
            reports.warn("accept", "cannot accept connections: {}", Reports.reason(e));
            isPaused = true;
            acceptAt = alarm.now() + PAUSE_NANOS;
            alarm.due(acceptAt);
            accepting.interestOps(0);
        }
    }

    void checkTimes() {
        if (!isPaused || accepting == null) {
            return;
        }
        if (alarm.now() - acceptAt >= 0) {
            isPaused = false;
            accepting.interestOps(SelectionKey.OP_ACCEPT);
        } else {
            alarm.due(acceptAt);
        }
    }

    private void accepted(SocketChannel channel) throws IOException {
        InetAddress from =
                channel.getRemoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        boolean isFromPeers = from != null && peers.areAt(from);
        if (from == null || events.isLeaving() || !admission.enter(from, isFromPeers, alarm.now())) {
            counters.connectionsRefused.increment();
            reset(channel);
            return;
        }
        boolean isTaken = false;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Connection connection = new Connection(channel, false, from, selector, alarm.now());
            connection.isFromPeers = isFromPeers;
            events.onAccepted(connection);
            isTaken = true;
        } catch (IOException e) {
            // It has gone already.
        } finally {
            if (!isTaken) {
                // After an Error, too: nobody else knows this connection.
                admission.leave(from, isFromPeers);
                reset(channel);
            }
        }
    }

    /** Closes without a word and without a trace in the system's tables. */
    private static void reset(SocketChannel channel) {
        try (channel) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // Justification: it has gone already, which is what is wanted.
        }
    }

    /** It is no longer one that has not said who it is. */
    void leave(Connection connection) {
        if (connection.isWaiting) {
            connection.isWaiting = false;
            admission.leave(connection.remote(), connection.isFromPeers);
        }
    }
}
