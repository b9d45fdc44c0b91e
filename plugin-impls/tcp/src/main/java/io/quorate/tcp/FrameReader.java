package io.quorate.tcp;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Tls;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts what comes from one connection into frames. It holds no more memory than twice what has arrived: a length that
 * is announced reserves nothing. One thread uses it.
 */
final class FrameReader {

    private static final int LENGTH_BYTES = 4;
    private static final byte[] EMPTY = {};

    private byte[] bytes = EMPTY;
    private int from;
    private int to;

    /** Takes all that is left in {@code in}. */
    void append(ByteBuffer in) {
        int more = in.remaining();
        if (bytes.length - to < more) {
            int held = to - from;
            byte[] room = held + more <= bytes.length ? bytes : new byte[Math.max(held + more, 2 * held)];
            System.arraycopy(bytes, from, room, 0, held);
            bytes = room;
            from = 0;
            to = held;
        }
        in.get(bytes, to, more);
        to += more;
    }

    /**
     * Whether a whole frame is there. Asked before the rest of a frame has come, so that a wrong length ends the
     * connection at once.
     *
     * @param lengthMax the longest frame that may come now, type included
     * @throws MalformedInputException if the announced length is 0 or above {@code lengthMax}
     */
    boolean hasFrame(int lengthMax) throws MalformedInputException {
        if (to - from < LENGTH_BYTES) {
            return false;
        }
        long length = announced();
        if (Tls.isRecord((int) length)) {
            throw new MalformedInputException(Tls.ONE_SIDE);
        }
        if (length < 1 || length > lengthMax) {
            throw new MalformedInputException("length " + length + ": must be from 1 to " + lengthMax);
        }
        return to - from >= LENGTH_BYTES + length;
    }

    /** The type of the frame that is there. */
    int type() {
        return bytes[from + LENGTH_BYTES] & 0xff;
    }

    /** Takes the frame that is there; answers what follows its type, as a new array. */
    byte[] take() {
        int end = from + LENGTH_BYTES + (int) announced();
        byte[] body = Arrays.copyOfRange(bytes, from + LENGTH_BYTES + 1, end);
        from = end;
        if (from == to) {
            // An idle connection holds nothing.
            bytes = EMPTY;
            from = 0;
            to = 0;
        }
        return body;
    }

    /** How much memory is held, in bytes. */
    int capacity() {
        return bytes.length;
    }

    private long announced() {
        return (bytes[from] & 0xffL) << 24
                | (bytes[from + 1] & 0xffL) << 16
                | (bytes[from + 2] & 0xffL) << 8
                | bytes[from + 3] & 0xffL;
    }
}
