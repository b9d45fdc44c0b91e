package io.quorate.spi;

import java.util.Comparator;

/**
 * What orders the indications of one algorithm: a ballot, or (term, leader), or (epoch, leader).
 *
 * <p>It means something inside one election only and starts anew with the next; it is <em>not</em> the fencing token
 * that the application sees, which is the term of the quorum lease.
 *
 * @param term        round, term or epoch, at least 0
 * @param process     the process that the term belongs to
 * @param incarnation which life of that process, 0 where the algorithm does not say
 */
public record Mark(long term, int process, long incarnation) implements Comparable<Mark> {

    /** For the faithful variants, which give no mark. */
    public static final Mark NONE = new Mark(0, -1, 0);

    private static final Comparator<Mark> ORDER = Comparator.comparingLong(Mark::term)
            .thenComparingInt(Mark::process).thenComparingLong(Mark::incarnation);

    @Override
    public int compareTo(Mark other) {
        return ORDER.compare(this, other);
    }
}
