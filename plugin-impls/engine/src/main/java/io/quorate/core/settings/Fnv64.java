package io.quorate.core.settings;

import java.nio.charset.StandardCharsets;

/** 64-bit FNV-1a over strings: the same on every node and in every JVM. Not a defence against forgery. */
public final class Fnv64 {

    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private long value = OFFSET;

    /** Adds a text, and the fact that it ends. */
    public Fnv64 add(String text) {
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            mix(next);
        }
        // A byte that no UTF-8 text holds keeps "ab","c" and "a","bc" apart.
        mix((byte) 0xff);
        return this;
    }

    /** Adds the eight bytes of a number. */
    public Fnv64 add(long number) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            mix((byte) (number >>> shift));
        }
        return this;
    }

    /** The digest of all that was added. */
    public long value() {
        return value;
    }

    private void mix(byte next) {
        value = (value ^ next & 0xff) * PRIME;
    }
}
