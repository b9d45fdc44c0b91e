package io.quorate.core.vote;

import java.util.Comparator;

/**
 * A message of {@link LeaseWorld}, of or for candidate {@code c} in its life {@code life}.
 *
 * @param x         the voter of a vote, else -1
 * @param voterLife so many lives of the voter were over when it voted
 * @param counter   of the vote's epoch
 */
record LeaseMail(Kind kind, int c, int life, long term, int x, int voterLife, long counter)
        implements Comparable<LeaseMail> {

    enum Kind {
        CLAIM,
        VOTE
    }

    private static final Comparator<LeaseMail> ORDER = Comparator.comparing(LeaseMail::kind)
            .thenComparingInt(LeaseMail::c)
            .thenComparingInt(LeaseMail::life)
            .thenComparingLong(LeaseMail::term)
            .thenComparingInt(LeaseMail::x)
            .thenComparingInt(LeaseMail::voterLife)
            .thenComparingLong(LeaseMail::counter);

    @Override
    public int compareTo(LeaseMail other) {
        return ORDER.compare(this, other);
    }
}
