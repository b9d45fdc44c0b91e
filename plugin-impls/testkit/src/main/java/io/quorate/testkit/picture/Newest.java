package io.quorate.testkit.picture;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last things that were told, and how many came before them: a test may run for hours of virtual time, and the last
 * ones led to its failure.
 */
public final class Newest<T> {

    private final int max;
    private final Deque<T> kept = new ArrayDeque<>();
    private long forgotten;

    /** @param max so many are kept */
    public Newest(int max) {
        this.max = max;
    }

    /** Keeps it, in place of the oldest one if there are too many. */
    public void add(T next) {
        kept.add(next);
        if (kept.size() > max) {
            kept.remove();
            forgotten++;
        }
    }

    /** The kept ones, oldest first. */
    public List<T> all() {
        return List.copyOf(kept);
    }

    /** How many are not kept any more. */
    public long forgotten() {
        return forgotten;
    }
}
