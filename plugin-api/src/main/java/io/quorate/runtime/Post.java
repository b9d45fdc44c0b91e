package io.quorate.runtime;

import io.quorate.core.NodeEvent;
import io.quorate.core.NodeMessage;
import io.quorate.core.NodeSettings;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns messages into frames and frames into events. Of the driver's thread alone. */
final class Post {

    /** Messages to one peer share a frame up to this length; one message more still fits. */
    private static final int BODY_LENGTH_USUAL = 24 * 1024;

    /** Room to write is kept for so many peers; for more it is made anew each time. */
    private static final int BODIES_KEPT = 256;

    private static final long LOG_NANOS = 60_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(Post.class);

    /** Only a voter is believed when it says that an incarnation is outdated. */
    private final boolean isVoter;
    private final MessageCodec codec;
    private final Transport transport;
    private final Links links;
    private final Map<NodeId, WireWriter> bodies = new LinkedHashMap<>();
    private final NodeId self;
    private boolean hasToldOfTooMany;
    private long toldOfTooManyAt;
    private long malformed;
    private long unsent;

    Post(NodeSettings settings, ElectionAlgorithm algorithm, Transport transport, long incarnation) {
        this.transport = transport;
        this.self = settings.self();
        this.isVoter = settings.isVoter();
        codec = new MessageCodec(algorithm);
        links = new Links(settings.clusterId(), settings.self(), incarnation, settings.lease().heartbeat(),
                settings.lease().support(), settings.voters());
    }

    void incarnation(long newer) {
        links.incarnation(newer);
    }

    /** Leaves with the next {@link #flush}, or before if the frame is full. */
    void add(NodeId to, NodeMessage message, long now) {
        WireWriter body = bodies.computeIfAbsent(to, node -> new WireWriter(256));
        int before = body.length();
        try {
            codec.write(message, body);
        } catch (MessageCodec.UnwritableMessageException e) {
            LOG.debug("a message to {} is not sent: {}", to, e.getMessage());
            body.truncate(before);
            unsent++;
            return;
        }
        if (body.length() > Links.BODY_LENGTH_MAX) {
            // No frame can carry this message; those before it shall not suffer.
            body.truncate(before);
            unsent++;
        }
        if (body.length() >= BODY_LENGTH_USUAL) {
            send(to, body.toBytes(), now);
            body.clear();
        }
    }

    void flush(long now) {
        bodies.forEach((to, body) -> {
            if (body.length() > 0) {
                send(to, body.toBytes(), now);
                body.clear();
            }
        });
        if (bodies.size() > BODIES_KEPT) {
            bodies.clear();
        }
    }

    /** Peers that were not answered otherwise get an empty frame, so that they know that we hear them. */
    void acknowledge(long now) {
        // What leaves anyhow is a word to its receiver too.
        flush(now);
        for (NodeId peer : links.owedAcks(now)) {
            send(peer, new byte[0], now);
        }
    }

    private void send(NodeId to, byte[] body, long now) {
        links.seal(to, body, body.length, now).ifPresent(frame -> transport.send(to, frame));
    }

    /** Gives the events of a frame, in order; none if it is malformed, foreign or stale. */
    void open(byte[] frame, long now, Consumer<NodeEvent> events) {
        Opened opened = links.open(frame, now);
        if (opened instanceof Opened.Accepted accepted) {
            if (accepted.bodyLength() > 0) {
                read(accepted, events);
            }
        } else if (opened instanceof Opened.Dropped dropped) {
            onDropped(dropped, now, events);
        }
    }

    private void read(Opened.Accepted accepted, Consumer<NodeEvent> events) {
        List<NodeMessage> messages;
        try {
            messages = codec.read(new WireReader(accepted.frame(), accepted.bodyOffset(), accepted.bodyLength()));
        } catch (MalformedInputException e) {
            // A frame is taken as a whole or not at all.
            malformed++;
            return;
        }
        for (NodeMessage message : messages) {
            events.accept(new NodeEvent.Received(accepted.from(), accepted.incarnation(), message));
        }
    }

    private void onDropped(Opened.Dropped dropped, long now, Consumer<NodeEvent> events) {
        if (dropped.reason() == Opened.Reason.TOO_MANY_PEERS) {
            tellOfTooMany(dropped.from().orElseThrow(), now);
            return;
        }
        boolean isOther = dropped.incarnation() != links.incarnation();
        if (dropped.reason() == Opened.Reason.OWN_ID && isOther) {
            events.accept(new NodeEvent.OwnIdHeard(dropped.incarnation()));
        } else if (dropped.reason() == Opened.Reason.OLDER_INCARNATION && dropped.rivalSilent() && isVoter) {
            WireWriter body = new WireWriter();
            codec.write(new NodeMessage.Outdated(dropped.rivalIncarnation()), body);
            Optional<byte[]> frame = links.sealForOlderLife(dropped.from().orElseThrow(), dropped.incarnation(),
                    body.toBytes(), body.length(), now);
            frame.ifPresent(bytes -> transport.send(dropped.from().orElseThrow(), bytes));
        }
    }

    private void tellOfTooMany(NodeId from, long now) {
        if (hasToldOfTooMany && now - toldOfTooManyAt < LOG_NANOS) {
            return;
        }
        hasToldOfTooMany = true;
        toldOfTooManyAt = now;
        long frames = links.dropped().get(Opened.Reason.TOO_MANY_PEERS);
        int peers = links.peers();
        Guard.log(() -> LOG.warn("node {}: {} is not heard: {} other nodes were heard lately, and there is room for no"
                + " more; frames dropped for that so far: {}", self, from, peers, frames));
    }

    /** Frames that were dropped, by reason. */
    String dropped() {
        return links.dropped() + (malformed > 0 ? " and " + malformed + " with a malformed body" : "")
                + (unsent > 0 ? ", messages that fit into no frame " + unsent : "");
    }

    /** Frames that the gate held back. */
    long refused() {
        return links.refused();
    }
}
