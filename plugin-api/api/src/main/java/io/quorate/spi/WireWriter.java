package io.quorate.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the compact binary form of messages and states: numbers of variable length, longs with the highest byte first,
 * short strings. It grows as needed. One thread at a time may use a writer.
 */
public final class WireWriter {

    private byte[] bytes;
    private int length;

    /** A writer with room for 64 bytes before it grows. */
    public WireWriter() {
        this(64);
    }

    /**
     * A writer with the given room.
     *
     * @param capacity for how many bytes there is room before it grows
     */
    public WireWriter(int capacity) {
        bytes = new byte[Math.max(1, capacity)];
    }

    /**
     * Writes one byte.
     *
     * @param value its low eight bits are written
     */
    public void writeByte(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    /**
     * Writes one byte: 1 for true, 0 for false.
     *
     * @param value the boolean
     */
    public void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /**
     * Writes eight bytes, the highest first. It suits numbers that are usually large or negative.
     *
     * @param value any number
     */
    public void writeLong(long value) {
        reserve(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    /**
     * Writes 1 to 9 bytes, fewer for smaller numbers.
     *
     * @param value at least 0; a reader refuses more than {@link WireReader#NUMBER_MAX}
     * @throws IllegalArgumentException if {@code value} is negative
     */
    public void writeUnsigned(long value) {
        Check.argument(value >= 0, "%d: must not be negative", value);
        reserve(9);
        long rest = value;
        while (rest >= 0x80) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /**
     * Writes a string in UTF-8, with its length in bytes before it.
     *
     * @param value the string
     */
    public void writeString(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes bytes, with their count before them.
     *
     * @param value the bytes
     */
    public void writeBytes(byte[] value) {
        writeUnsigned(value.length);
        writeRaw(value, 0, value.length);
    }

    /**
     * Writes bytes without their count.
     *
     * @param value holds the bytes
     * @param from  the index of the first byte to write
     * @param count how many bytes to write
     * @throws IndexOutOfBoundsException if {@code value} has no such part
     */
    public void writeRaw(byte[] value, int from, int count) {
        reserve(count);
        System.arraycopy(value, from, bytes, length, count);
        length += count;
    }

    /** {@return how many bytes were written} */
    public int length() {
        return length;
    }

    /**
     * Answers one byte, so that a hash needs no copy.
     *
     * @param index 0 to {@link #length()} - 1; not checked
     * @return the byte at this index
     */
    public byte at(int index) {
        return bytes[index];
    }

    /** Forgets everything that was written, and keeps its room. */
    public void clear() {
        length = 0;
    }

    /**
     * Forgets what was written after an earlier moment.
     *
     * @param earlierLength the {@link #length()} at that moment
     * @throws IllegalArgumentException if it is negative, or more than was written
     */
    public void truncate(int earlierLength) {
        Check.argument(
                0 <= earlierLength && earlierLength <= length,
                "length %d: only %d were written",
                earlierLength,
                length);
        length = earlierLength;
    }

    /** {@return a copy of everything that was written} */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
