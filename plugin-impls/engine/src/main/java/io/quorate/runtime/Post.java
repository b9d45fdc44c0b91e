package io.quorate.runtime;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.Notices;
import io.quorate.engine.Fatal;
import io.quorate.engine.Migration;
import io.quorate.runtime.Envelope.Kind;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;

/** Turns messages into frames and frames into events. Confined to the driver's thread. */
final class Post {

    /** Messages to one peer share a frame up to this length; one more message still fits. */
    private static final int BODY_LENGTH_USUAL = 24 * 1024;

    /** Room to write is kept for so many peers; further ones get new room each time. */
    private static final int BODIES_KEPT = 256;

    /** How often the node hears of frames of unknown senders; it logs that once a minute. */
    private static final long STRANGERS_PAUSE_NANOS = 1_000_000_000;

    private static final WireReader NOTHING = new WireReader(new byte[0]);

    private final MessageCodec codec;
    private final Transport transport;
    private final Links links;
    private final Map<NodeId, Body> bodies = new LinkedHashMap<>();
    private final NodeId self;
    private List<NodeId> voters;
    private final long suspicion;
    /** The voters that were logged as not answering. */
    private final Set<NodeId> silent = new HashSet<>();

    private final String cluster;
    private final Notices notices = new Notices(Notices.LINES_MAX);
    /** When the node was last told of frames of an unknown sender, by reason. */
    private final Map<DecodedFrame.Reason, Long> strangersToldAt = new EnumMap<>(DecodedFrame.Reason.class);

    private final Logger log;
    private final Consumer<Throwable> onHarm;

    /**
     * The outgoing messages for one peer. Messages that overtake others stand first, so that the peer finds them
     * without reading the rest.
     */
    private static final class Body {
        private final WireWriter first = new WireWriter(64);
        private final WireWriter rest = new WireWriter(256);

        private int length() {
            return first.length() + rest.length();
        }

        private byte[] take() {
            byte[] all = Arrays.copyOf(first.toBytes(), length());
            System.arraycopy(rest.toBytes(), 0, all, first.length(), rest.length());
            first.clear();
            rest.clear();
            return all;
        }
    }

    /** The part of an accepted frame that is not read yet. */
    record Rest(DecodedFrame.Accepted frame, WireReader in) {}

    private long malformed;
    private long unreadable;
    private long harmful;
    private long lost;
    private long unsent;

    /** @param onHarm told of what the handling of a frame has thrown */
    Post(
            NodeSettings settings,
            Optional<ClusterSecret> secret,
            ElectionAlgorithm algorithm,
            Transport transport,
            long incarnation,
            Logger log,
            Consumer<Throwable> onHarm) {
        this.log = log;
        this.onHarm = onHarm;
        this.transport = transport;
        this.self = settings.self();
        this.voters = settings.voters();
        this.suspicion = settings.lease().suspicion();
        this.cluster = settings.clusterId();
        codec = new MessageCodec(algorithm);
        links = new Links(
                settings.clusterId(),
                settings.self(),
                incarnation,
                settings.lease().heartbeat(),
                settings.lease().support(),
                settings.voters(),
                secret);
    }

    /** This life of the node. */
    long incarnation() {
        return links.incarnation();
    }

    /** Whether much more would soon be held back by the gate, for some peer that reads. */
    boolean isSomeoneBehind(long now) {
        return links.isSomeoneBehind(now);
    }

    void voters(List<NodeId> now) {
        voters = now;
        silent.retainAll(now);
        links.voters(now);
    }

    /** Leaves with the next {@link #flush}, or before if the frame is full. */
    void add(NodeId to, NodeMessage message, long now) {
        Body body = bodies.computeIfAbsent(to, node -> new Body());
        WireWriter part = message.overtakes() ? body.first : body.rest;
        int before = part.length();
        try {
            codec.write(message, part);
        } catch (MessageCodec.UnwritableMessageException e) {
            log.debug("a message to {} is not sent: {}", to, e.getMessage());
            part.truncate(before);
            unsent++;
            return;
        }
        if (body.length() > Links.BODY_LENGTH_MAX) {
            // No frame can carry this message; earlier messages must not suffer from that.
            part.truncate(before);
            unsent++;
        }
        if (body.length() >= BODY_LENGTH_USUAL) {
            send(to, body, now);
        }
    }

    void flush(long now) {
        bodies.forEach((to, body) -> {
            if (body.length() > 0) {
                send(to, body, now);
            }
        });
        if (bodies.size() > BODIES_KEPT) {
            bodies.clear();
        }
    }

    /** Peers that got no other answer get an empty frame, so that they know that we hear them. */
    void acknowledge(long now) {
        // Any frame to a peer answers it.
        flush(now);
        for (NodeId peer : links.owedAcks(now)) {
            send(peer, new Body(), now);
        }
        voters.forEach(voter -> tellOfSilence(voter, now));
    }

    /** The log names voters only: other nodes may come and go by the hundred. */
    private void tellOfSilence(NodeId voter, long now) {
        if (links.noteSilence(voter, now, suspicion)) {
            silent.add(voter);
            log.info(
                    "node {}: voter {} does not answer: nothing was heard of it for {} ms",
                    self,
                    voter,
                    suspicion / 1_000_000);
        } else if (!silent.isEmpty() && links.isAnswering(voter) && silent.remove(voter)) {
            log.info("node {}: voter {} answers again", self, voter);
        }
    }

    private void send(NodeId to, Body messages, long now) {
        int overtaking = messages.first.length();
        byte[] body = messages.take();
        Optional<byte[]> frame = links.seal(to, body, body.length, now);
        if (frame.isEmpty() && overtaking > 0) {
            frame = links.sealOvertaking(to, body, overtaking, now);
        }
        frame.ifPresent(whole -> give(to, whole, now));
    }

    // Justification for catching what a transport should not throw: it is not ours, and a frame may be lost.
    private void give(NodeId to, byte[] frame, long now) {
        try {
            transport.send(to, frame);
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            lost++;
            if (notices.isDue("transport", to, now)) {
                log.warn("node {}: the transport throws at a frame to {}, which is lost", self, to, e);
            }
        }
    }

    /** The node is reached at this address, which the settings need not have. */
    // Justification for catching: as above. Frames to that node are lost then, which the log says.
    void reach(NodeId node, HostAndPort address) {
        try {
            transport.reach(node, address);
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            log.warn("node {}: the transport throws when it is told that {} is at {}", self, node, address, e);
        }
    }

    /** Nothing is sent after this. */
    void sayFarewell(long now) {
        links.sayFarewell((to, frame) -> give(to, frame, now));
    }

    /** Each frame passes this first, on any thread. */
    Entrance entrance() {
        return links.entrance();
    }

    /**
     * Gives the events of messages that overtake others in a frame. Answers the rest of the frame, for {@link #handle},
     * in the order in which frames were opened; empty if there is none.
     *
     * @throws VirtualMachineError if the machine fails
     */
    Optional<Rest> open(Checked.Passed passed, Transport.Standing standing, long now, Consumer<NodeEvent> events) {
        DecodedFrame opened = links.open(passed, now);
        if (opened instanceof DecodedFrame.Dropped dropped) {
            // Refusals come twice, over two connections.
            if (dropped.reason() == DecodedFrame.Reason.STALE_SEQUENCE
                    && passed.envelope().kind() != Kind.REFUSAL) {
                standing.onCopy();
            }
            tell(dropped, standing, now, events);
            return Optional.empty();
        }
        DecodedFrame.Accepted frame = (DecodedFrame.Accepted) opened;
        boolean isRefusal = passed.envelope().kind() == Kind.REFUSAL;
        boolean showsLife = isRefusal ? links.isRecent(frame) : links.hears(frame.from(), now, 1);
        if (showsLife) {
            standing.onNews();
        }
        if (isRefusal) {
            events.accept(new NodeEvent.PlaceTaken(frame.from(), 0, showsLife));
            return Optional.empty();
        }
        if (!showsLife) {
            links.question(frame, now).ifPresent(question -> give(frame.from(), question, now));
        }
        WireReader in = passed.body();
        int end = passed.bodyOffset() + passed.bodyLength();
        boolean isToWait = links.isToWait(frame);
        // Noted before anything is read: an answer may leave at once, and would acknowledge the whole frame.
        links.postpone(frame);
        links.takeHeld(frame, now).ifPresent(before -> handle(before, now, events));
        boolean isGood = read(frame, () -> codec.readFirst(passed.frame(), end, in), now, events);
        boolean hasRest = isGood && in.remaining() > 0;
        boolean waits = hasRest || isToWait;
        if (!waits) {
            links.onHandled(frame, now);
        }
        if (passed.envelope().kind() == Kind.QUESTION) {
            give(frame.from(), links.answer(frame), now);
        }
        return waits ? Optional.of(new Rest(frame, hasRest ? in : NOTHING)) : Optional.empty();
    }

    private void refuse(DecodedFrame.Dropped dropped, Transport.Standing standing, long now) {
        NodeId from = dropped.from().orElseThrow();
        links.refusal(dropped, now).ifPresent(refusal -> {
            // A transport without a way back may reach that process too. It takes note of one of the two.
            give(from, refusal, now);
            standing.answer(refusal);
        });
        if (links.areTwo(from) && notices.isDue("twin", from, now)) {
            log.warn(
                    "node {}: a second process runs under the id of node {}: its life {} is refused; stop one of the two",
                    self,
                    from,
                    dropped.incarnation());
        }
    }

    private void handle(DecodedFrame.Accepted whole, long now, Consumer<NodeEvent> events) {
        WireReader in = whole.passed().body();
        read(whole, () -> codec.read(in, reason -> onUnreadable(whole.from(), reason, events)), now, events);
    }

    /** Gives the other events of a frame, in order; none of them if one is malformed. */
    void handle(Rest rest, long now, Consumer<NodeEvent> events) {
        DecodedFrame.Accepted frame = rest.frame;
        try {
            read(frame, () -> codec.read(rest.in, reason -> onUnreadable(frame.from(), reason, events)), now, events);
        } finally {
            links.onHandled(frame, now);
        }
    }

    /** Gives the events of a frame that the entrance has dropped; as {@link #open}. */
    void tell(DecodedFrame.Dropped dropped, long now, Consumer<NodeEvent> events) {
        tell(dropped, new Transport.Standing(), now, events);
    }

    /** Gives the events of a dropped frame that matters to the node or to its log, and answers it. */
    private void tell(DecodedFrame.Dropped dropped, Transport.Standing standing, long now, Consumer<NodeEvent> events) {
        try {
            if (dropped.from().isEmpty() && !isTellDue(dropped.reason(), now)) {
                // An unknown peer must not keep the node busy.
                return;
            }
            foreign(dropped)
                    .ifPresent(text -> events.accept(new NodeEvent.ForeignFrames(
                            dropped.reason().name(), dropped.accused().orElse(self), text)));
            if (dropped.reason() == DecodedFrame.Reason.TOO_MANY_PEERS) {
                tellOfTooMany(dropped.from().orElseThrow(), now);
                return;
            }
            if (dropped.reason() == DecodedFrame.Reason.OWN_ID && dropped.incarnation() != links.incarnation()) {
                events.accept(new NodeEvent.OwnIdHeard(dropped.incarnation()));
            } else if (dropped.unanswered() > 0) {
                refuse(dropped, standing, now);
                give(dropped.from().orElseThrow(), links.question(dropped), now);
            }
        } catch (Throwable e) {
            onHarmful(dropped.from().orElse(self), dropped.reason().name(), now, e, events);
        }
    }

    private interface Part {
        List<NodeMessage> read() throws MalformedInputException;
    }

    /**
     * Handles one message. If that throws, it is counted and logged, and the rest of the frame is dropped: a peer's
     * frame must not end this node. Answers whether the frame may go on.
     */
    private boolean read(DecodedFrame.Accepted frame, Part part, long now, Consumer<NodeEvent> events) {
        String reading = "a frame";
        try {
            for (NodeMessage message : part.read()) {
                reading = message.getClass().getSimpleName();
                if (message.sender() == NodeMessage.Sender.NODE || !links.isMuted(frame)) {
                    events.accept(new NodeEvent.Received(frame.from(), frame.incarnation(), message));
                } else {
                    links.onMuted();
                }
            }
            return true;
        } catch (MalformedInputException e) {
            malformed++;
        } catch (Throwable e) {
            onHarmful(frame.from(), reading, now, e, events);
        }
        return false;
    }

    private void onHarmful(NodeId from, String what, long now, Throwable thrown, Consumer<NodeEvent> events) {
        Fatal.throwIfFatal(thrown);
        harmful++;
        if (notices.isDue("harm", from, now)) {
            log.warn(
                    "node {}: cannot handle a message from {} ({}), and drops it: {};" + " total so far: {}",
                    self,
                    from,
                    what,
                    thrown.toString(),
                    harmful);
            log.debug("node {}: what came from {}", self, from, thrown);
        }
        onHarm.accept(thrown);
        // The rest of the step is done without the frame. If that throws as well, the fault is not the frame's.
        events.accept(NodeEvent.Wake.INSTANCE);
    }

    private void onUnreadable(NodeId from, String reason, Consumer<NodeEvent> events) {
        unreadable++;
        events.accept(new NodeEvent.ForeignFrames(
                "message of an algorithm",
                from,
                "node " + from + " sends messages of another algorithm, which are left out: " + reason
                        + "; use the same algorithm on all nodes"));
    }

    private boolean isTellDue(DecodedFrame.Reason reason, long now) {
        Long before = strangersToldAt.get(reason);
        boolean isDue = before == null || now - before >= STRANGERS_PAUSE_NANOS;
        if (isDue) {
            strangersToldAt.put(reason, now);
        }
        return isDue;
    }

    /** If the frame shows a wrong configuration: what comes, what should come, and the cure. */
    private Optional<String> foreign(DecodedFrame.Dropped dropped) {
        String from = dropped.from().map(NodeId::value).orElse("");
        boolean isOfThisLife = dropped.incarnation() == links.incarnation();
        return Optional.ofNullable(
                switch (dropped.reason()) {
                    case OTHER_VERSION ->
                        "frames in wire version " + dropped.theirs() + " are dropped, this node speaks "
                                + WireVersions.OURS
                                + ": run versions of Quorate that understand each other on all nodes";
                    case WITHOUT_MAC ->
                        "frames without a MAC" + by(from) + " are dropped, this node has a secret: give all nodes of"
                                + " the cluster the same secret, or keep strangers away from the port";
                    case OTHER_SECRET ->
                        "frames" + by(from) + " are dropped, whose MAC is not that of this node's secret and cluster"
                                + " '" + cluster + "': give all nodes of the cluster the same secret and cluster id, or"
                                + " keep strangers away from the port";
                    case WITH_MAC ->
                        "frames of node " + from + " carry a MAC and are dropped, this node has no secret: give all"
                                + " nodes of the cluster the same secret";
                    case FORGED ->
                        "frames in the name of node " + from + " come over a connection of node " + dropped.theirs()
                                + " and are dropped as forged: node " + dropped.theirs()
                                + " runs under a wrong node id or with another node's certificate, or another process has"
                                + " its key";
                    case OTHER_CLUSTER ->
                        "frames of node " + from + " of cluster '" + dropped.theirs() + "' are dropped, this"
                                + " node is of cluster '" + cluster
                                + "': "
                                + (Migration.name(dropped.theirs()).equals(Migration.name(cluster))
                                        ? "set migration=tandem on all nodes or on none"
                                        : "give both the same cluster id, or correct the address that leads here");
                    case NOT_FOR_US ->
                        "frames of node " + from + " for node " + dropped.theirs() + " arrive at this node, "
                                + self + ", and are dropped: correct the address of " + dropped.theirs()
                                + " in the peers of "
                                + from;
                    case OTHER_PROCESS_OF_US ->
                        "node " + from + " speaks to another process under this node's id, which has answered it after"
                                + " this one did: give each process its own id";
                    case OWN_ID ->
                        isOfThisLife
                                ? "this node's own frames come back to it and are dropped: correct the address"
                                        + " in its peers that leads to itself"
                                : null;
                    default -> null;
                });
    }

    /** Only the transport may know the sender of a frame that was not read. */
    private static String by(String from) {
        return from.isEmpty() ? " of an unknown sender" : " of node " + from;
    }

    private void tellOfTooMany(NodeId from, long now) {
        if (!notices.isDue("too many", self, now)) {
            return;
        }
        long frames = links.dropped().getOrDefault(DecodedFrame.Reason.TOO_MANY_PEERS, 0L);
        int peers = links.peers();
        log.warn(
                "node {}: {} is not heard: {} other nodes were heard lately, and there is room for no"
                        + " more; frames dropped for that so far: {}",
                self,
                from,
                peers,
                frames);
    }

    String dropped() {
        return links.dropped()
                + (malformed > 0 ? " and " + malformed + " with a malformed body" : "")
                + (unreadable > 0 ? ", messages of another algorithm " + unreadable : "")
                + (harmful > 0 ? ", and could not be handled " + harmful : "")
                + (lost > 0 ? ", frames at which the transport threw " + lost : "")
                + (unsent > 0 ? ", messages that fit into no frame " + unsent : "");
    }

    /** Each reason for which frames or messages are dropped, with how many were. */
    Map<String, Long> droppedByReason() {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<DecodedFrame.Reason, Long> seen = links.dropped();
        for (DecodedFrame.Reason reason : DecodedFrame.Reason.values()) {
            counts.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), seen.getOrDefault(reason, 0L));
        }
        counts.put("malformed-body", malformed);
        counts.put("other-algorithm", unreadable);
        counts.put("not-handled", harmful);
        counts.put("held-back", links.refused());
        counts.put("transport-threw", lost);
        counts.put("too-long", unsent);
        return counts;
    }

    /** Whether the peer was heard to live within the suspicion time. */
    boolean hears(NodeId peer, long now) {
        return links.hears(peer, now, suspicion);
    }

    long refused() {
        return links.refused();
    }
}
