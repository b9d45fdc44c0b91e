package io.quorate.spi;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link WireWriter} wrote, from input that nobody vouches for: every method throws
 * {@link MalformedInputException} and nothing else, and allocates no more than the input is long.
 */
public final class WireReader {

    /** The highest number that is read: what is added to a number of the wire does not wrap. */
    public static final long NUMBER_MAX = 1L << 62;

    private final byte[] bytes;
    private final int end;
    private int position;

    public WireReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Reads {@code count} bytes from {@code from} on. */
    public WireReader(byte[] bytes, int from, int count) {
        Check.argument(from >= 0 && count >= 0 && from + count <= bytes.length, "%d bytes from %d: only %d are there",
                count, from, bytes.length);
        this.bytes = bytes;
        this.position = from;
        this.end = from + count;
    }

    /** 0 to 255. */
    public int readByte() throws MalformedInputException {
        need(1);
        return bytes[position++] & 0xff;
    }

    public boolean readBoolean() throws MalformedInputException {
        int value = readByte();
        if (value > 1) {
            throw new MalformedInputException("boolean " + value + ": must be 0 or 1");
        }
        return value == 1;
    }

    public long readLong() throws MalformedInputException {
        need(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | bytes[position++] & 0xff;
        }
        return value;
    }

    /** A number from 0 to {@link #NUMBER_MAX}. */
    public long readUnsigned() throws MalformedInputException {
        long value = readVariable();
        if (value > NUMBER_MAX) {
            throw new MalformedInputException("number " + value + ": must be at most " + NUMBER_MAX);
        }
        return value;
    }

    private long readVariable() throws MalformedInputException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new MalformedInputException("number longer than 63 bits");
    }

    /** A number from 0 to {@code limit}. */
    public int readUnsigned(int limit) throws MalformedInputException {
        long value = readUnsigned();
        if (value > limit) {
            throw new MalformedInputException("number " + value + ": must be at most " + limit);
        }
        return (int) value;
    }

    /** A string of at most {@code lengthMax} bytes. */
    public String readString(int lengthMax) throws MalformedInputException {
        byte[] value = readBytes(lengthMax);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedInputException("string that is not UTF-8");
        }
    }

    /** A node's name. */
    public NodeId readNodeId() throws MalformedInputException {
        // What is not ASCII is no legal name in either encoding.
        String value = new String(readBytes(NodeId.LENGTH_MAX), StandardCharsets.ISO_8859_1);
        try {
            return new NodeId(value);
        } catch (IllegalArgumentException e) {
            throw new MalformedInputException(e.getMessage());
        }
    }

    /** At most {@code lengthMax} bytes that were written with their count. */
    public byte[] readBytes(int lengthMax) throws MalformedInputException {
        int count = readUnsigned(lengthMax);
        need(count);
        byte[] value = new byte[count];
        System.arraycopy(bytes, position, value, 0, count);
        position += count;
        return value;
    }

    /** How many bytes are left. */
    public int remaining() {
        return end - position;
    }

    /** @throws MalformedInputException if something is left */
    public void expectEnd() throws MalformedInputException {
        if (remaining() > 0) {
            throw new MalformedInputException(remaining() + " bytes behind the end");
        }
    }

    private void need(int count) throws MalformedInputException {
        if (remaining() < count) {
            throw new MalformedInputException(count + " bytes expected, " + remaining() + " left");
        }
    }
}
