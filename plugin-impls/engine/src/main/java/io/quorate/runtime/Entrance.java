package io.quorate.runtime;

import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Checks all of a frame that does not depend on its link: form, MAC, proved sender, cluster and receiver. It stands
 * before the mailbox, where the transport hands frames over, so frames of strangers take no room in the mailbox and
 * delay nothing. Any number of threads.
 */
final class Entrance {

    /** Magic and version, which stand before all that a MAC vouches for. */
    private static final int HEAD_LENGTH = 2;

    /** The number of threads that check MACs at one time without allocation; a power of two. */
    private static final int SPARES = 16;

    private static final Reason[] REASONS = Reason.values();

    private final String cluster;
    /** The cluster id as it stands in a frame: nearly all frames have it, so no text is made of it. */
    private final byte[] clusterAsWritten;

    private final NodeId self;
    private final WireVersions versions;
    private final @Nullable ClusterSecret secret;

    /**
     * The objects that check MACs, each for one thread at a time. A thread takes one out of its place and puts it back:
     * thread-local ones would stay behind in threads that are not ours.
     */
    private final AtomicReferenceArray<@Nullable FrameMac> spares = new AtomicReferenceArray<>(SPARES);

    private final AtomicLongArray dropped = new AtomicLongArray(REASONS.length);

    /**
     * The entrance of one node.
     *
     * @param versions of frames that the node speaks
     * @param secret   what all nodes know; empty if frames carry no MAC
     */
    Entrance(String clusterId, NodeId self, WireVersions versions, Optional<ClusterSecret> secret) {
        this.cluster = clusterId;
        WireWriter written = new WireWriter();
        written.writeString(clusterId);
        this.clusterAsWritten = written.toBytes();
        this.self = self;
        this.versions = versions;
        this.secret = secret.orElse(null);
    }

    /**
     * Tells whether a received frame may pass. Throws nothing for any content of {@code frame}. Dropped frames are
     * counted.
     *
     * @param sender who has proved to have sent it; empty if nobody has
     */
    Checked check(Optional<NodeId> sender, byte[] frame) {
        Checked checked;
        try {
            checked = read(sender, frame);
        } catch (MalformedInputException e) {
            checked = unread(Reason.MALFORMED, Optional.empty(), "");
        }
        if (checked instanceof Dropped drop) {
            dropped.incrementAndGet(drop.reason().ordinal());
        }
        return checked;
    }

    /** How many frames were dropped, by reason; a reason that never occurred is missing. */
    Map<Reason, Long> dropped() {
        Map<Reason, Long> counts = new EnumMap<>(Reason.class);
        for (Reason reason : REASONS) {
            long count = dropped.get(reason.ordinal());
            if (count > 0) {
                counts.put(reason, count);
            }
        }
        return counts;
    }

    private Checked read(Optional<NodeId> sender, byte[] frame) throws MalformedInputException {
        if (frame.length > Transport.FRAME_LENGTH_MAX) {
            return unread(Reason.MALFORMED, Optional.empty(), "");
        }
        boolean hasMac = frame.length > 0 && frame[0] == Envelope.MAGIC_WITH_MAC;
        int end = hasMac ? frame.length - FrameMac.LENGTH : frame.length;
        if (end < HEAD_LENGTH || !hasMac && frame[0] != Envelope.MAGIC) {
            return unread(Reason.MALFORMED, Optional.empty(), "");
        }
        int version = frame[1] & 0xff;
        if (!versions.has(version)) {
            return unread(Reason.OTHER_VERSION, Optional.empty(), Integer.toString(version));
        }
        // The secret comes first, before any field that a stranger may have written is read.
        if (secret != null && !hasMac) {
            return unread(Reason.WITHOUT_MAC, sender, "");
        }
        if (secret != null && !isMacRight(secret, frame)) {
            return unread(Reason.OTHER_SECRET, sender, "");
        }
        boolean isOurs = isOfOurCluster(frame, end);
        int read = HEAD_LENGTH + (isOurs ? clusterAsWritten.length : 0);
        WireReader in = new WireReader(frame, read, end - read);
        String theirs = isOurs ? cluster : in.readString(Envelope.CLUSTER_LENGTH_MAX);
        Envelope envelope = Envelope.read(version, in);
        if (sender.isPresent() && !sender.get().equals(envelope.from())) {
            return foreign(Reason.FORGED, envelope, sender.get().value());
        }
        if (!theirs.equals(cluster)) {
            return foreign(Reason.OTHER_CLUSTER, envelope, theirs);
        }
        if (!envelope.to().equals(self)) {
            return foreign(Reason.NOT_FOR_US, envelope, envelope.to().value());
        }
        if (secret == null && hasMac) {
            return foreign(Reason.WITH_MAC, envelope, "");
        }
        return new Checked.Passed(envelope, frame, end - in.remaining(), in.remaining());
    }

    private boolean isMacRight(ClusterSecret known, byte[] frame) {
        int place = Thread.currentThread().hashCode() & (SPARES - 1);
        FrameMac mac = spares.getAndSet(place, null);
        if (mac == null) {
            mac = new FrameMac(known, cluster);
        }
        boolean isRight = mac.isRight(frame);
        spares.set(place, mac);
        return isRight;
    }

    private boolean isOfOurCluster(byte[] frame, int end) {
        int length = clusterAsWritten.length;
        return end - HEAD_LENGTH >= length
                && Arrays.equals(frame, HEAD_LENGTH, HEAD_LENGTH + length, clusterAsWritten, 0, length);
    }

    private static Dropped unread(Reason reason, Optional<NodeId> sender, String theirs) {
        return new Dropped(reason, sender, 0, 0, theirs);
    }

    private static Dropped foreign(Reason reason, Envelope envelope, String theirs) {
        return new Dropped(reason, Optional.of(envelope.from()), envelope.fromIncarnation(), 0, theirs);
    }
}
