package io.quorate.spi;

import java.util.Comparator;

/**
 * Orders the nominations of one election: a ballot, or (term, leader), or (epoch, leader).
 *
 * <p>A mark means something inside one election only, and marks begin anew with the next election. It is <em>not</em>
 * the fencing token that the application sees, which is the term of the quorum lease.
 *
 * @param term        the round, term or epoch of the algorithm, at least 0
 * @param process     the process that the term belongs to; -1 for none
 * @param incarnation the life of that process, at least 1; 0 if the algorithm does not say
 */
public record Mark(long term, int process, long incarnation) implements Comparable<Mark> {

    /** Lower than every other mark. A variant that gives no marks nominates with this one. */
    public static final Mark NONE = new Mark(0, -1, 0);

    private static final Comparator<Mark> ORDER =
            Comparator.comparingLong(Mark::term).thenComparingInt(Mark::process).thenComparingLong(Mark::incarnation);

    @Override
    public int compareTo(Mark other) {
        return ORDER.compare(this, other);
    }
}
