package io.quorate.engine;

/**
 * One contender's time as the leader of one path, from acquiring a majority of votes to lapse, release or close.
 *
 * <p>Whether it is valid is computed at the moment of the question, from a deadline and a clock: no message, timer or
 * thread has to run for it to become false. Once it was seen as ended it stays so, even if the lease was renewed at
 * that very moment. Safe for any thread.
 */
public final class Tenure {

    private final String path;
    private final long token;
    private volatile boolean isEnded;
    private volatile Lease lease;

    /** @param lease that its validity rests on */
    public Tenure(String path, long token, Lease lease) {
        this.path = path;
        this.token = token;
        this.lease = lease;
    }

    /** The path that is led. */
    public String path() {
        return path;
    }

    /** The fencing token: the term of this tenure, above that of every earlier tenure of the path. */
    public long token() {
        return token;
    }

    /**
     * Whether this tenure may be acted upon.
     *
     * @param clock the clock of the node; read after the lease, so that a pause before the reading is seen
     */
    public boolean isValid(Clock clock) {
        if (isEnded()) {
            return false;
        }
        Lease current = lease;
        long until = current.until();
        if (clock.nanoTime() - until < 0) {
            return !isEnded();
        }
        end();
        return false;
    }

    /** Nanoseconds until the end unless renewed; 0 if ended. May be shorter than what is left, never longer. */
    public long remainingNanos(Clock clock) {
        long until = lease.until();
        return isEnded() ? 0 : Math.max(0, until - clock.nanoTime());
    }

    /** Ends this tenure for every reader at once. Answers whether it had not ended before. */
    public synchronized boolean end() {
        boolean isFirst = !isEnded;
        isEnded = true;
        return isFirst;
    }

    /** Whether {@link #end()} was called, or a reader found the lease over. */
    public boolean isEnded() {
        return isEnded;
    }

    /** The lease that it rests on at this moment. */
    public Lease lease() {
        return lease;
    }

    /** Lets it rest on another lease. On the node's thread only. */
    public void setLease(Lease replacement) {
        lease = replacement;
    }

    @Override
    public String toString() {
        return path + " token " + token + (isEnded() ? " (ended)" : "");
    }
}
