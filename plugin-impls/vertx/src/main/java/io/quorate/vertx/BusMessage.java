package io.quorate.vertx;

import io.netty.buffer.ByteBuf;
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

    /** Whether this is all that the other side writes when it is asked for a sign of life. */
    static boolean isPong(ByteBuf bytes) {
        return bytes.readableBytes() == 1 && bytes.getByte(bytes.readerIndex()) == PONG;
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

    /** What stands behind its length, which is that much too high; empty if it is not there. */
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
