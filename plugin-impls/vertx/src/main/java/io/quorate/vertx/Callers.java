package io.quorate.vertx;

import io.netty.util.NetUtil;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.transport.Admission;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * The callers that are connected to a Vertx of our own: few at a time that have not shown that they are nodes, and not
 * many that have. Strangers never take the room of peers. Thread-safe: a thread of Vert.x accepts, and the event loop
 * does the rest.
 */
final class Callers {

    private final int peers;
    private final Admission admission;
    /** Where each peer was found last. */
    private final Map<NodeId, InetAddress> found = new HashMap<>();

    /** Where nodes are connected from, and with how many connections. */
    private final Map<InetAddress, Integer> proved = new HashMap<>();

    private final LongAdder refused = new LongAdder();
    private int provedAtPeers;
    private int provedElsewhere;

    /** @param addresses of all nodes, this one among them */
    Callers(NodeId self, Map<NodeId, HostAndPort> addresses) {
        peers = addresses.size() - 1;
        admission = new Admission(() -> peers, System.nanoTime());
        addresses.forEach((node, address) -> {
            if (!node.equals(self)) {
                // A name is looked up when the peer is dialled.
                found(node, address.host());
            }
        });
    }

    /** A connection that was accepted, until it is closed. */
    final class Caller {
        private final InetAddress from;
        private final boolean isAtPeers;
        private boolean isProved;
        private boolean isGone;

        private Caller(InetAddress from, boolean isAtPeers) {
            this.from = from;
            this.isAtPeers = isAtPeers;
        }

        /** It has shown that it is a node's. Answers whether there is room for it. */
        boolean prove() {
            synchronized (Callers.this) {
                if (isGone || isProved) {
                    return isProved;
                }
                admission.leave(from, isAtPeers);
                isProved = true;
                count(1);
                return (isAtPeers ? provedAtPeers : provedElsewhere) <= provedMax();
            }
        }

        /**
         * It has carried frame after frame that nobody may send. Nodes that are connected from the same address, behind
         * a translation of addresses, are not shut out with it.
         */
        void shut() {
            synchronized (Callers.this) {
                if (proved.getOrDefault(from, 0) == (isProved ? 1 : 0)) {
                    admission.shut(from, System.nanoTime());
                }
            }
        }

        /** It is closed. */
        void leave() {
            synchronized (Callers.this) {
                if (isGone) {
                    return;
                }
                isGone = true;
                if (isProved) {
                    count(-1);
                } else {
                    admission.leave(from, isAtPeers);
                }
            }
        }

        private void count(int change) {
            proved.merge(from, change, (before, more) -> before + more == 0 ? null : before + more);
            if (isAtPeers) {
                provedAtPeers += change;
            } else {
                provedElsewhere += change;
            }
        }
    }

    /**
     * Connections of nodes: from addresses of peers, and from others. A peer has one, and for a moment the next one.
     */
    int provedMax() {
        return Admission.WAITING_PER_PEER * peers + Admission.WAITING_MORE;
    }

    /** A connection that may stay for now; empty if it may not. */
    synchronized Optional<Caller> enter(InetAddress from) {
        boolean isAtPeers = areAt(from);
        if (!admission.enter(from, isAtPeers, System.nanoTime())) {
            refused.increment();
            return Optional.empty();
        }
        return Optional.of(new Caller(from, isAtPeers));
    }

    /** Whether a peer was found there. */
    synchronized boolean areAt(InetAddress address) {
        return found.containsValue(address);
    }

    /** A peer is at this address, if it is one and not a name. */
    synchronized void found(NodeId peer, String address) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(address);
        if (literal != null) {
            found.put(peer, literal);
        }
    }

    long refused() {
        return refused.sum();
    }
}
