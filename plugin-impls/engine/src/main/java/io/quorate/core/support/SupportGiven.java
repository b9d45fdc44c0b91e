package io.quorate.core.support;

import io.quorate.core.step.StepContext;
import io.quorate.engine.Epoch;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The voter's half of layer 1 (docs/protocol.md#support): whom this voter supports. It supports a node while that
 * node's heartbeats arrive, for {@link LeaseTiming#support} from the receipt of the last one; each unbroken stretch is
 * an epoch. One heartbeat serves all paths. Expiry is a stored deadline that is compared when it matters, no callback.
 */
public final class SupportGiven implements Supporters {

    /**
     * The most nodes without a vote that this voter knows, so that the list of nodes that are up fits into one frame
     * (512 names of 64 characters are 33 kB). A node beyond gets no support, and is told why. Voters have seats.
     */
    public static final int NODES_MAX = 512;

    private final StepContext context;
    private final Map<NodeId, Peer> peers = new TreeMap<>();
    /** The epoch of this voter's support for itself. */
    private Epoch own;

    private long epochCounter;
    private boolean isSilent = true;

    private static final class Peer {
        private long incarnation;
        private @Nullable Epoch epoch;
        private long until;
        private boolean isSupported;
        /** Whether this voter has forgotten the registrations of the epoch, which is therefore not renewed. */
        private boolean isOver;
    }

    /** A voter in its quarantine. */
    public SupportGiven(StepContext context) {
        this.context = context;
        this.own = new Epoch(context.incarnation(), 0);
    }

    /** During its quarantine a voter supports nobody, itself included: it does not know whom it supported before. */
    public boolean isSilent() {
        return isSilent;
    }

    /** The quarantine is over: from now on this voter supports the nodes that ask, and itself. */
    public void endQuarantine() {
        isSilent = false;
    }

    /** Silences the voter, because its node found another process under its id. */
    public void silence() {
        isSilent = true;
    }

    /**
     * A heartbeat of this life of the node.
     *
     * @return the epoch to acknowledge; empty if the node gets no support
     */
    public Optional<Epoch> onHeartbeat(NodeId node, long incarnation, Optional<Epoch> renounced) {
        if (isSilent) {
            return Optional.empty();
        }
        Peer peer = peers.get(node);
        if (peer == null) {
            if (!hasRoomFor(node)) {
                return Optional.empty();
            }
            peer = new Peer();
            peer.incarnation = incarnation;
            peers.put(node, peer);
        }
        boolean isAlive = isAlive(peer);
        if (incarnation != peer.incarnation) {
            if (isAlive) {
                // This is a second process under the id, or a life that follows soon: the supported life keeps its
                // support.
                return Optional.empty();
            }
            peer.incarnation = incarnation;
        }
        boolean gaveBack = renounced.isPresent() && renounced.get().equals(peer.epoch);
        if (isAlive && peer.isOver && !gaveBack) {
            // A lease of the node may rest on the epoch, so a new one begins only when this one has run out.
            return Optional.empty();
        }
        if (!isAlive || gaveBack) {
            peer.isOver = false;
            peer.epoch = new Epoch(context.incarnation(), ++epochCounter);
        }
        peer.isSupported = true;
        peer.until = context.now() + context.lease().support();
        return Optional.of(Objects.requireNonNull(peer.epoch, "epoch of a supported node"));
    }

    /** Whether the node is known, or may come to be. */
    boolean hasRoomFor(NodeId node) {
        if (peers.containsKey(node) || context.voterIndex(node) >= 0 || peers.size() < NODES_MAX) {
            return true;
        }
        int voters = 0;
        for (NodeId voter : context.voters().ids()) {
            voters += peers.containsKey(voter) ? 1 : 0;
        }
        return peers.size() - voters < NODES_MAX;
    }

    /** Forgets nodes that have been silent for so long that nothing of their lives can matter any more. */
    public void sweep() {
        peers.values().removeIf(peer -> !peer.isSupported && !context.isRecent(peer.until));
    }

    /** How many nodes are known, supported or not. */
    public int size() {
        return peers.size();
    }

    /** The node has ended its tenures and is gone: its support ends now. Answers whether it was supported. */
    boolean onGoodbye(NodeId node, long incarnation) {
        Peer peer = peers.get(node);
        if (peer == null || peer.incarnation != incarnation) {
            return false;
        }
        boolean was = peer.isSupported;
        peers.remove(node);
        return was;
    }

    /** Returns whether the support of the node has run out, but only once. Which life had it is kept. */
    boolean takeLapse(NodeId node) {
        Peer peer = peers.get(node);
        if (peer == null || !peer.isSupported || isAlive(peer)) {
            return false;
        }
        peer.isSupported = false;
        return true;
    }

    /** When the support of the node runs out unless it is renewed; now if it has none. */
    long until(NodeId node) {
        Peer peer = peers.get(node);
        return peer == null || !peer.isSupported ? context.now() : peer.until;
    }

    /** The life of the node that has support, or had it last. */
    Optional<Long> incarnationOf(NodeId node) {
        return Optional.ofNullable(peers.get(node)).map(peer -> peer.incarnation);
    }

    /** Whether this life of the node is supported now. */
    public boolean isSupported(NodeId node, long incarnation) {
        return epochOf(node, incarnation) != null;
    }

    @Override
    public @Nullable Epoch epochOf(NodeId node, long incarnation) {
        if (isSilent) {
            return null;
        }
        if (node.equals(context.self())) {
            // A vote for an own contender lasts until it is released; a former life of this node holds none.
            return context.isThisLife(incarnation) ? own : null;
        }
        Peer peer = peers.get(node);
        return peer != null && peer.incarnation == incarnation && isAlive(peer) ? peer.epoch : null;
    }

    @Override
    public long remaining(NodeId node) {
        if (node.equals(context.self())) {
            return context.lease().support();
        }
        return Math.max(0, until(node) - context.now());
    }

    /** The epoch of this voter's support for itself. */
    public Epoch own() {
        return own;
    }

    /**
     * This node no longer votes, and forgets all registrations. If it votes again, it begins new epochs only: a node
     * that has not noticed the gap would not register anew in an old one.
     */
    public void endEpochs() {
        own = new Epoch(context.incarnation(), ++epochCounter);
        peers.values().forEach(peer -> peer.isOver = true);
    }

    private boolean isAlive(Peer peer) {
        return peer.isSupported && context.now() - peer.until < 0;
    }
}
