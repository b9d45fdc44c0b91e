package io.quorate.spi;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link WireWriter} wrote, from input that nobody vouches for. On bad input its methods throw {@link
 * MalformedInputException} and nothing else, and they allocate no more than the input is long. One thread at a time may
 * use a reader.
 */
public final class WireReader {

    /** The highest number that is read. It leaves room for additions: their sums do not wrap. */
    public static final long NUMBER_MAX = 1L << 62;

    private final byte[] bytes;
    private final int end;
    private int position;

    /**
     * Reads all of these bytes.
     *
     * @param bytes not copied, and not changed
     */
    public WireReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /**
     * Reads some of these bytes.
     *
     * @param bytes not copied, and not changed
     * @param from  the index of the first byte to read, at least 0
     * @param count how many bytes to read, at least 0
     * @throws IllegalArgumentException if {@code bytes} has no such part
     */
    public WireReader(byte[] bytes, int from, int count) {
        Check.argument(
                from >= 0 && count >= 0 && count <= bytes.length - from,
                "%d bytes from %d: only %d are there",
                count,
                from,
                bytes.length);
        this.bytes = bytes;
        this.position = from;
        this.end = from + count;
    }

    /**
     * Reads one byte.
     *
     * @return 0 to 255
     * @throws MalformedInputException if nothing is left
     */
    public int readByte() throws MalformedInputException {
        need(1);
        return bytes[position++] & 0xff;
    }

    /**
     * Reads one byte that is 0 for false or 1 for true.
     *
     * @return the boolean
     * @throws MalformedInputException if nothing is left, or the byte is another one
     */
    public boolean readBoolean() throws MalformedInputException {
        int value = readByte();
        if (value > 1) {
            throw new MalformedInputException("boolean " + value + ": must be 0 or 1");
        }
        return value == 1;
    }

    /**
     * Reads eight bytes, the highest first.
     *
     * @return any number
     * @throws MalformedInputException if fewer bytes are left
     */
    public long readLong() throws MalformedInputException {
        need(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | bytes[position++] & 0xff;
        }
        return value;
    }

    /**
     * Reads a number of 1 to 9 bytes.
     *
     * @return 0 to {@link #NUMBER_MAX}
     * @throws MalformedInputException if the number is larger, or is cut off
     */
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

    /**
     * Reads a number that has a limit.
     *
     * @param limit at least 0
     * @return 0 to {@code limit}
     * @throws MalformedInputException if the number is larger, or is cut off
     */
    public int readUnsigned(int limit) throws MalformedInputException {
        long value = readUnsigned();
        if (value > limit) {
            throw new MalformedInputException("number " + value + ": must be at most " + limit);
        }
        return (int) value;
    }

    /**
     * Reads a string in UTF-8 that was written with its length.
     *
     * @param lengthMax the most bytes that the string may have
     * @return the string, which may be empty
     * @throws MalformedInputException if the string is longer, is cut off, or is not UTF-8
     */
    public String readString(int lengthMax) throws MalformedInputException {
        byte[] value = readBytes(lengthMax);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedInputException("string that is not UTF-8");
        }
    }

    /**
     * Reads the id of a node that was written as a string.
     *
     * @return a legal id
     * @throws MalformedInputException if the string is cut off, or is no legal id
     */
    public NodeId readNodeId() throws MalformedInputException {
        // A text beyond ASCII is not a legal name in either encoding.
        String value = new String(readBytes(NodeId.LENGTH_MAX), StandardCharsets.ISO_8859_1);
        try {
            return new NodeId(value);
        } catch (IllegalArgumentException e) {
            throw new MalformedInputException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads bytes that were written with their count.
     *
     * @param lengthMax the most bytes that there may be
     * @return a new array, which may be empty
     * @throws MalformedInputException if there are more, or they are cut off
     */
    public byte[] readBytes(int lengthMax) throws MalformedInputException {
        int count = readUnsigned(lengthMax);
        need(count);
        byte[] value = Arrays.copyOfRange(bytes, position, position + count);
        position += count;
        return value;
    }

    /** {@return how many bytes are left} */
    public int remaining() {
        return end - position;
    }

    /**
     * Checks that everything was read.
     *
     * @throws MalformedInputException if bytes are left
     */
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
