package io.quorate.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the compact binary form of messages and states: variable-length integers, big-endian longs, short strings. */
public final class WireWriter {

    private byte[] bytes;
    private int length;

    public WireWriter() {
        this(64);
    }

    public WireWriter(int capacity) {
        bytes = new byte[Math.max(1, capacity)];
    }

    /** One byte; the low eight bits of {@code value}. */
    public void writeByte(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    public void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /** Eight bytes. For numbers that are usually large or negative. */
    public void writeLong(long value) {
        reserve(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    /** 1 to 9 bytes, fewer for smaller numbers. @throws IllegalArgumentException if {@code value} is negative */
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

    /** A string in UTF-8 with its length before it. */
    public void writeString(String value) {
        writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes with their count before them. */
    public void writeBytes(byte[] value) {
        writeUnsigned(value.length);
        writeRaw(value, 0, value.length);
    }

    /** Bytes as they are. */
    public void writeRaw(byte[] value, int from, int count) {
        reserve(count);
        System.arraycopy(value, from, bytes, length, count);
        length += count;
    }

    /** How many bytes were written. */
    public int length() {
        return length;
    }

    /** The byte at {@code index}, for hashing without a copy. */
    public byte at(int index) {
        return bytes[index];
    }

    /** Forgets everything written and keeps the buffer. */
    public void clear() {
        length = 0;
    }

    /** Goes back to an earlier {@link #length()}. */
    public void truncate(int earlierLength) {
        Check.argument(0 <= earlierLength && earlierLength <= length, "length %d: only %d were written",
                earlierLength, length);
        length = earlierLength;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
