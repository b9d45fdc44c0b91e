package io.quorate.testkit.model;

import java.util.Arrays;

/** Numbers 64-bit fingerprints in the order in which they come. Two arrays: ten million take 200 MB. */
final class Fingerprints {

    private static final long ZERO = 0x9e3779b97f4a7c15L;

    private long[] slots = new long[1 << 16];
    private int[] numbers = new int[1 << 16];
    private int size;

    /** The number of the fingerprint, from 0; a new one gets {@link #size} as its number. */
    int numberOf(long fingerprint) {
        if (2 * size >= slots.length) {
            grow();
        }
        int at = slot(slots, fingerprint == 0 ? ZERO : fingerprint);
        if (slots[at] == 0) {
            slots[at] = fingerprint == 0 ? ZERO : fingerprint;
            numbers[at] = size++;
        }
        return numbers[at];
    }

    int size() {
        return size;
    }

    private void grow() {
        long[] larger = new long[slots.length * 2];
        int[] renumbered = new int[larger.length];
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] != 0) {
                int at = slot(larger, slots[i]);
                larger[at] = slots[i];
                renumbered[at] = numbers[i];
            }
        }
        slots = larger;
        numbers = renumbered;
    }

    /** Where the value stands, or belongs. */
    private static int slot(long[] in, long value) {
        int mask = in.length - 1;
        int at = (int) LocalStates.mix(value) & mask;
        while (in[at] != 0 && in[at] != value) {
            at = at + 1 & mask;
        }
        return at;
    }

    static final class Ints {
        private int[] values = new int[1 << 12];
        private int size;

        void add(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        int get(int index) {
            return values[index];
        }

        int size() {
            return size;
        }
    }

    static final class Longs {
        private long[] values = new long[1 << 8];
        private int size;

        void add(long value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        long get(int index) {
            return values[index];
        }
    }
}
