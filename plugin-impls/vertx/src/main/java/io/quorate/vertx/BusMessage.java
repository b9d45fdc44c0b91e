package io.quorate.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;

/** A message as the event bus of Vert.x 5 writes it on a connection, behind its length. */
final class BusMessage {

    /** A frame with the names in front of it. Beyond that no node sends any. */
    static final int LENGTH_MAX = 68 * 1024;

    /** The version of this form. */
    static final int VERSION = 2;

    private static final int ADDRESS_AT = 3;
    /** What the bus asks for a sign of life with. */
    private static final int PING = 1;

    /** The one byte that answers a ping. */
    private static final byte PONG = 1;

    private static final int BUFFER = 11;

    /** Begins a frame on the way back, where the bus itself writes pongs alone. Its length follows. */
    private static final byte ANSWER = 2;

    private static final int ANSWER_HEAD = 1 + Integer.BYTES;
    /** What a node answers is short. */
    private static final int ANSWER_MAX = 1024;

    private BusMessage() {}

    /**
     * Whether the bus may read it as a question for a sign of life: it makes room for each length that stands there.
     */
    static boolean isPing(ByteBuf message) {
        ByteBuf rest = message.duplicate();
        return rest.readableBytes() > ADDRESS_AT
                && rest.readByte() == VERSION
                && rest.readByte() == PING
                && part(rest.skipBytes(1), 0).isPresent()
                && hasRest(rest);
    }

    /** Whether the next byte is what the other side writes when it is asked for a sign of life. */
    static boolean isPong(ByteBuf bytes) {
        return bytes.getByte(bytes.readerIndex()) == PONG;
    }

    /** A frame for the process that has dialled. */
    static ByteBuf answer(byte[] frame) {
        return Unpooled.buffer(ANSWER_HEAD + frame.length)
                .writeByte(ANSWER)
                .writeInt(frame.length)
                .writeBytes(frame);
    }

    /** Whether an answer begins here, or may. */
    static boolean isAnswer(ByteBuf bytes) {
        int at = bytes.readerIndex();
        return bytes.getByte(at) == ANSWER
                && (bytes.readableBytes() < ANSWER_HEAD
                        || 0 <= bytes.getInt(at + 1) && bytes.getInt(at + 1) <= ANSWER_MAX);
    }

    /** Takes the frame of an answer; empty until all of it is there. */
    static Optional<byte[]> takeAnswer(ByteBuf bytes) {
        int length = bytes.readableBytes() < ANSWER_HEAD ? ANSWER_MAX : bytes.getInt(bytes.readerIndex() + 1);
        return bytes.readableBytes() < ANSWER_HEAD + length
                ? Optional.empty()
                : Optional.of(ByteBufUtil.getBytes(bytes.skipBytes(ANSWER_HEAD).readSlice(length)));
    }

    /** The Buffer in a message to one of these addresses; empty in every other one. */
    static Optional<ByteBuf> body(ByteBuf message, Predicate<String> isOurs) {
        ByteBuf rest = message.duplicate();
        if (rest.readableBytes() < ADDRESS_AT || rest.readByte() != VERSION || rest.readByte() != BUFFER) {
            return Optional.empty();
        }
        // Whether one or all consumers are meant: there is one.
        rest.skipBytes(1);
        Optional<ByteBuf> address = part(rest, 0);
        if (address.isEmpty() || !isOurs.test(address.get().toString(StandardCharsets.US_ASCII)) || !hasRest(rest)) {
            return Optional.empty();
        }
        return part(rest, 0).filter(body -> !rest.isReadable());
    }

    /** An address for an answer, the sender, and headers, whose length counts itself: nobody reads them. */
    private static boolean hasRest(ByteBuf rest) {
        for (int tooHigh : new int[] {0, 0, Integer.BYTES}) {
            if (part(rest, tooHigh).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The part behind its length, which is {@code tooHigh} too high; empty if the part is missing. */
    private static Optional<ByteBuf> part(ByteBuf rest, int tooHigh) {
        if (rest.readableBytes() < Integer.BYTES) {
            return Optional.empty();
        }
        int length = rest.readInt();
        return tooHigh <= length && length - tooHigh <= rest.readableBytes()
                ? Optional.of(rest.readSlice(length - tooHigh))
                : Optional.empty();
    }
}
