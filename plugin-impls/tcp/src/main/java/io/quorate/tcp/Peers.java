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

/**
 * The nodes of the own list, those of which this node was told as voters, and contenders. The first two are listed:
 * strangers take nothing from them. Confined to the loop, except {@link #get}.
 */
final class Peers {

    /** Nodes that have called, and that are not listed. */
    static final int CONTENDERS_MAX = 512;
    /** Nodes of which this node was told: several lists of voters. */
    static final int TOLD_MAX = 64;

    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();
    /** The nodes that this node was told of, the last one last. */
    private final Map<NodeId, Peer> told = new LinkedHashMap<>();
    /** In the order in which they came. */
    private final Map<NodeId, Peer> contenders = new LinkedHashMap<>();
    /** Where listed peers were found last. */
    private final Set<InetAddress> addresses = new HashSet<>();

    private final Resolver resolver;
    private final Counters counters;

    Peers(NodeId self, Map<NodeId, HostAndPort> list, Resolver resolver, Counters counters) {
        this.resolver = resolver;
        this.counters = counters;
        list.forEach((id, address) -> {
            if (!id.equals(self)) {
                Peer peer = new Peer(id);
                peers.put(id, peer);
                list(peer, address);
            }
        });
        rememberAddresses();
    }

    private void list(Peer peer, HostAndPort address) {
        peer.isListed = true;
        if (peer.address.equals(Optional.of(address))) {
            return;
        }
        peer.address = Optional.of(address);
        // Else when it is dialled.
        peer.found = new InetAddress[0];
        if (Resolver.isLiteral(address.host())) {
            resolver.resolve(address.host(), 0, found -> peer.found = found);
        }
    }

    /** Null if it is not known. Any thread. */
    @Nullable
    Peer get(NodeId id) {
        return peers.get(id);
    }

    Collection<Peer> all() {
        return Collections.unmodifiableCollection(peers.values());
    }

    /** How many are no contenders. */
    int listed() {
        return peers.size() - contenders.size();
    }

    /** Whether a listed peer was found there. */
    boolean areAt(InetAddress address) {
        return addresses.contains(address);
    }

    /** The addresses of a name are these now. */
    void onFound(Peer peer, InetAddress[] found) {
        peer.found = found;
        if (peer.isListed) {
            rememberAddresses();
        }
    }

    private void rememberAddresses() {
        addresses.clear();
        for (Peer peer : peers.values()) {
            if (peer.isListed) {
                addresses.addAll(Arrays.asList(peer.found));
            }
        }
    }

    /**
     * This node was told, by itself, where a node is reached. It is listed from now on; the address in the own list
     * stays. Ignored if so many that are connected were told before.
     */
    void tell(NodeId id, HostAndPort address) {
        Peer known = peers.get(id);
        boolean isOfOwnList = known != null && known.isListed && !told.containsKey(id);
        if (isOfOwnList || !told.containsKey(id) && told.size() >= TOLD_MAX && !forgetTold()) {
            return;
        }
        Peer peer = known == null ? new Peer(id) : known;
        contenders.remove(id);
        told.remove(id);
        told.put(id, peer);
        list(peer, address);
        peers.put(id, peer);
        rememberAddresses();
    }

    /**
     * A node that says that it is reached there, which counts unless it is listed; null if there is no room for one
     * more contender.
     *
     * @param address empty if it listens nowhere
     */
    @Nullable
    Peer caller(NodeId id, Optional<HostAndPort> address, long now) {
        Peer known = peers.get(id);
        if (known != null) {
            if (!known.isListed) {
                known.address = address.or(() -> known.address);
            }
            return known;
        }
        if (contenders.size() >= CONTENDERS_MAX && !forgetContender(now)) {
            return null;
        }
        Peer fresh = new Peer(id);
        fresh.address = address;
        fresh.heardAt = now;
        contenders.put(id, fresh);
        peers.put(id, fresh);
        return fresh;
    }

    /** The peer is not connected any more. A peer that does not listen can only call again, as anyone can. */
    void onClosed(Peer peer) {
        if (peer.address.isEmpty()) {
            forget(peer);
        }
    }

    private void forget(Peer peer) {
        contenders.remove(peer.id());
        told.remove(peer.id());
        peers.remove(peer.id());
        counters.sendsDropped.add(peer.clear());
    }

    /** Among the contenders that are not connected, the one that was not heard for longest is forgotten. */
    private boolean forgetContender(long now) {
        Peer oldest = null;
        for (Peer each : contenders.values()) {
            if (each.isAway() && (oldest == null || now - each.heardAt > now - oldest.heardAt)) {
                oldest = each;
            }
        }
        if (oldest == null) {
            return false;
        }
        forget(oldest);
        return true;
    }

    /** Among the told nodes that are not connected, the one that was told first is forgotten. */
    private boolean forgetTold() {
        Optional<Peer> first = told.values().stream().filter(Peer::isAway).findFirst();
        first.ifPresent(this::forget);
        return first.isPresent();
    }
}
