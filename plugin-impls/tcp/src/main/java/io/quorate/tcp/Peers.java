package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The nodes of the own list, and contenders, of which there are so many at most. Of the loop, but for {@link #get}. */
final class Peers {

    /** Nodes that have called, or of which somebody has told, and that the node's own list does not name. */
    static final int CONTENDERS_MAX = 512;

    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();
    /** In the order in which they came. */
    private final Map<NodeId, Peer> contenders = new LinkedHashMap<>();
    /** Where peers of the list were found last. */
    private final Set<InetAddress> addresses = new HashSet<>();

    private final Counters counters;

    Peers(NodeId self, Map<NodeId, HostAndPort> list, Resolver resolver, Counters counters) {
        this.counters = counters;
        list.forEach((id, address) -> {
            if (!id.equals(self)) {
                Peer peer = new Peer(id, Optional.of(address), true);
                peers.put(id, peer);
                if (Resolver.isLiteral(address.host())) {
                    resolver.resolve(address.host(), 0, found -> peer.found = found);
                }
            }
        });
        rememberAddresses();
    }

    /** Null if it is not known. Any thread. */
    @Nullable
    Peer get(NodeId id) {
        return peers.get(id);
    }

    Collection<Peer> all() {
        return Collections.unmodifiableCollection(peers.values());
    }

    int size() {
        return peers.size();
    }

    /** Whether a peer of the list was found there. */
    boolean areAt(InetAddress address) {
        return addresses.contains(address);
    }

    /** The addresses of a name are these now. */
    void onFound(Peer peer, InetAddress[] found) {
        peer.found = found;
        if (peer.isConfigured()) {
            rememberAddresses();
        }
    }

    private void rememberAddresses() {
        addresses.clear();
        for (Peer peer : peers.values()) {
            if (peer.isConfigured()) {
                addresses.addAll(Arrays.asList(peer.found));
            }
        }
    }

    /**
     * A node that is reached there, unless the own list names it; null if there is no room for one more contender.
     *
     * @param address empty if it listens nowhere
     */
    @Nullable
    Peer contender(NodeId id, Optional<HostAndPort> address, long now) {
        Peer known = peers.get(id);
        if (known != null) {
            if (!known.isConfigured()) {
                known.address = address.or(() -> known.address);
            }
            return known;
        }
        if (contenders.size() >= CONTENDERS_MAX && !forgetContender(now)) {
            return null;
        }
        Peer fresh = new Peer(id, address, false);
        fresh.heardAt = now;
        contenders.put(fresh.id(), fresh);
        peers.put(fresh.id(), fresh);
        return fresh;
    }

    /** The peer is not connected any more. One that listens nowhere can only call again, as anybody can. */
    void onClosed(Peer peer) {
        if (peer.address.isEmpty()) {
            forget(peer);
        }
    }

    private void forget(Peer peer) {
        contenders.remove(peer.id());
        peers.remove(peer.id());
        counters.sendsDropped.add(peer.clear());
    }

    /** Of the contenders that are not connected, the one that was not heard for longest is forgotten. */
    private boolean forgetContender(long now) {
        Peer oldest = null;
        for (Peer each : contenders.values()) {
            boolean isAway = each.open == null && each.dialled == null;
            if (isAway && (oldest == null || now - each.heardAt > now - oldest.heardAt)) {
                oldest = each;
            }
        }
        if (oldest == null) {
            return false;
        }
        forget(oldest);
        return true;
    }
}
