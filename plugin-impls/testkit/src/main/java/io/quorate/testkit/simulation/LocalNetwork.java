package io.quorate.testkit.simulation;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Connects nodes in one JVM, through a switchboard that a test cuts and heals. A frame is delivered on the sending
 * thread, unless a rule drops it or its receiver does not listen. Safe for any thread.
 */
public final class LocalNetwork {

    /** A frame on its way. */
    public record Flight(NodeId from, NodeId to, byte[] frame) {}

    private final Map<NodeId, Transport.Receiver> receivers = new ConcurrentHashMap<>();
    private final List<Predicate<Flight>> drops = new CopyOnWriteArrayList<>();

    /** The transport of one node; a node that is started again needs another. */
    public LocalTransport transport(NodeId self) {
        return new LocalTransport(self);
    }

    /** Drops the frames that {@code rule} matches, until {@link #heal}. */
    public void drop(Predicate<Flight> rule) {
        drops.add(rule);
    }

    /** Drops everything between this node and the others, until {@link #heal}. */
    public void isolate(NodeId node) {
        drop(flight -> flight.from().equals(node) || flight.to().equals(node));
    }

    /** Forgets all rules. */
    public void heal() {
        drops.clear();
    }

    /** Lets {@code to} receive a frame from nowhere; no effect if it does not listen. */
    public void inject(NodeId to, byte[] frame) {
        Transport.Receiver receiver = receivers.get(to);
        if (receiver != null) {
            receiver.received(Optional.empty(), frame);
        }
    }

    /** A node's place at the switchboard. */
    public final class LocalTransport implements Transport {
        private final NodeId self;
        private volatile boolean isClosed;

        private LocalTransport(NodeId self) {
            this.self = self;
        }

        @Override
        public void start(Receiver receiver) {
            receivers.put(self, receiver);
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            Flight flight = new Flight(self, to, frame);
            if (!isClosed && drops.stream().noneMatch(rule -> rule.test(flight))) {
                inject(to, frame);
            }
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                receivers.remove(self);
            }
        }

        /** Whether {@link #close} was called. */
        public boolean isClosed() {
            return isClosed;
        }
    }
}
