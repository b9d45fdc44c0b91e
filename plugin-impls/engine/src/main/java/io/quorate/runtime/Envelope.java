package io.quorate.runtime;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * The head of a frame, behind its first byte, its version and the cluster id, which is text so that a receiver
 * of another cluster can say whose frame it is.
 *
 * @param from            the sender
 * @param to              the receiver
 * @param fromIncarnation the life of the sender, at least 1; 0 in a refusal
 * @param toIncarnation   the life of the receiver that is meant; 0 for any, while the sender knows none
 * @param sequence        of the frames from this life of the sender to the receiver, at least 1, rising
 * @param acknowledged    the highest sequence that has reached the sender from {@code toIncarnation}; 0 for none
 * @param version         of the frame: {@link WireVersions}
 * @param speaks          the highest version that the sender speaks, from {@code version} to {@value #SPEAKS_MAX}
 * @param kind            what the frame is for
 */
record Envelope(
        NodeId from,
        NodeId to,
        long fromIncarnation,
        long toIncarnation,
        long sequence,
        long acknowledged,
        int version,
        int speaks,
        Kind kind) {

    /** Purposes of frames. The bit stands in the byte of the version that the sender speaks. */
    enum Kind {
        MESSAGES(0),
        /** The sender wants to be shown that {@link #toIncarnation} lives: by an answer at once. */
        QUESTION(0x80),
        /** The sender hears another life of {@link #to} than {@link #toIncarnation}: {@link Links#refusal}. */
        REFUSAL(0x40),
        /** The life of the sender ends with this frame. */
        FAREWELL(0x20);

        private final int bit;

        Kind(int bit) {
            this.bit = bit;
        }

        private static Kind of(int bits) throws MalformedInputException {
            for (Kind kind : values()) {
                if (kind.bit == bits) {
                    return kind;
                }
            }
            throw new MalformedInputException("a frame of two kinds");
        }
    }

    /** The first byte of a frame without a MAC. */
    static final int MAGIC = 'Q';
    /** The first byte of a frame that ends in a MAC: {@link FrameMac}. */
    static final int MAGIC_WITH_MAC = 'S';

    static final int CLUSTER_LENGTH_MAX = 64;
    /** How many bytes stand in front of a body at most. */
    static final int LENGTH_MAX = 2
            + 1
            + CLUSTER_LENGTH_MAX // magic, version, cluster
            + 2 * (1 + NodeId.LENGTH_MAX) // from, to
            + 2 * Long.BYTES // both incarnations
            + 2 * 9 // sequence, acknowledgement
            + 1; // the version that the sender speaks

    static final int SPEAKS_MAX = 0x1f;

    /** The envelope, the body behind it, and the MAC of both if there is a secret. */
    byte[] write(String cluster, byte[] body, int bodyLength, @Nullable FrameMac mac) {
        WireWriter out = new WireWriter(LENGTH_MAX + bodyLength + FrameMac.LENGTH);
        out.writeByte(mac == null ? MAGIC : MAGIC_WITH_MAC);
        out.writeByte(version);
        out.writeString(cluster);
        out.writeString(from.value());
        out.writeString(to.value());
        out.writeLong(fromIncarnation);
        out.writeLong(toIncarnation);
        out.writeUnsigned(sequence);
        out.writeUnsigned(acknowledged);
        out.writeByte(speaks | kind.bit);
        out.writeRaw(body, 0, bodyLength);
        if (mac == null) {
            return out.toBytes();
        }
        out.writeRaw(FrameMac.ROOM, 0, FrameMac.LENGTH);
        byte[] frame = out.toBytes();
        mac.write(frame);
        return frame;
    }

    /**
     * Reads what {@link #write} wrote behind the cluster id; the body is what remains in {@code in}.
     *
     * @param version of the frame, which can be read here
     */
    static Envelope read(int version, WireReader in) throws MalformedInputException {
        NodeId from = in.readNodeId();
        NodeId to = in.readNodeId();
        long fromIncarnation = in.readLong();
        long toIncarnation = in.readLong();
        long sequence = in.readUnsigned();
        long acknowledged = in.readUnsigned();
        int last = in.readByte();
        Envelope envelope = new Envelope(
                from,
                to,
                fromIncarnation,
                toIncarnation,
                sequence,
                acknowledged,
                version,
                last & SPEAKS_MAX,
                Kind.of(last & ~SPEAKS_MAX));
        if (envelope.speaks < version) {
            throw new MalformedInputException("a sender that does not speak the version of its frame");
        }
        if (envelope.fromIncarnation < (envelope.kind == Kind.REFUSAL ? 0 : 1)
                || envelope.fromIncarnation > WireReader.NUMBER_MAX
                || envelope.toIncarnation < 0
                || envelope.toIncarnation > WireReader.NUMBER_MAX
                || envelope.sequence < 1) {
            throw new MalformedInputException("incarnation or sequence out of range");
        }
        if (envelope.toIncarnation == 0 && envelope.acknowledged > 0) {
            throw new MalformedInputException("acknowledgement for a life that the sender does not know");
        }
        return envelope;
    }
}
