package io.quorate.core.collection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Things that are numbered, in the order of their numbers. Each takes twelve bytes, where a map takes ten times as
 * much; that counts with ten thousand latches. Numbers that rise, as those of contenders do, are added at the end; a
 * removed one keeps its place until half of the places are such.
 */
public final class LongMap<T> implements Iterable<T> {

    /** Less than every number. */
    public static final long BEFORE_ALL = Long.MIN_VALUE;

    private static final int LENGTH_MIN = 16;

    private long[] numbers = new long[LENGTH_MIN];
    private Object[] values = new Object[LENGTH_MIN];
    private int length;
    private int size;

    /** Puts it there, in the place of what has this number already. */
    public void put(long number, T value) {
        int at = index(number);
        if (at < 0) {
            at = -at - 1;
            insert(at, number);
        }
        size += values[at] == null ? 1 : 0;
        values[at] = value;
    }

    private void insert(int at, long number) {
        if (length == numbers.length) {
            int longer = length + length / 2;
            numbers = Arrays.copyOf(numbers, longer);
            values = Arrays.copyOf(values, longer);
        }
        System.arraycopy(numbers, at, numbers, at + 1, length - at);
        System.arraycopy(values, at, values, at + 1, length - at);
        numbers[at] = number;
        values[at] = null;
        length++;
    }

    /** The value of this number; null for none. */
    // Nullness: most callers ask for numbers that are there.
    @SuppressWarnings({"unchecked", "NullAway"})
    public T get(long number) {
        int at = index(number);
        return at < 0 ? null : (T) values[at];
    }

    /** No effect if nothing has this number. */
    public void remove(long number) {
        int at = index(number);
        if (at >= 0 && values[at] != null) {
            values[at] = null;
            size--;
            compact();
        }
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    int capacity() {
        return numbers.length;
    }

    /** All there are at this moment. */
    @SuppressWarnings("unchecked")
    public List<T> toList() {
        List<T> list = new ArrayList<>(size);
        for (int i = 0; i < length; i++) {
            if (values[i] != null) {
                list.add((T) values[i]);
            }
        }
        return list;
    }

    /** All there are at this moment; later changes do not matter. */
    @Override
    public Iterator<T> iterator() {
        return toList().iterator();
    }

    /** Hands each to {@code action}, which adds and removes none. Allocates nothing. */
    @SuppressWarnings("unchecked")
    public void each(Consumer<? super T> action) {
        for (int i = 0; i < length; i++) {
            if (values[i] != null) {
                action.accept((T) values[i]);
            }
        }
    }

    /** Those with the next greater numbers, so many at most. */
    @SuppressWarnings("unchecked")
    public List<T> after(long number, int max) {
        int found = index(number);
        List<T> list = new ArrayList<>();
        for (int i = found < 0 ? -found - 1 : found + 1; i < length && list.size() < max; i++) {
            if (values[i] != null) {
                list.add((T) values[i]);
            }
        }
        return list;
    }

    private int index(long number) {
        boolean isNewest = length > 0 && numbers[length - 1] < number;
        return isNewest ? -length - 1 : Arrays.binarySearch(numbers, 0, length, number);
    }

    private void compact() {
        if (length <= LENGTH_MIN || 2 * size > length) {
            return;
        }
        int kept = 0;
        for (int i = 0; i < length; i++) {
            if (values[i] != null) {
                numbers[kept] = numbers[i];
                values[kept++] = values[i];
            }
        }
        length = kept;
        numbers = Arrays.copyOf(numbers, Math.max(LENGTH_MIN, kept));
        values = Arrays.copyOf(values, Math.max(LENGTH_MIN, kept));
    }
}
