package io.quorate.shedlock;

import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A lock that a {@link QuorateLockProvider} has given. It is over when it is unlocked or extended, when its {@code
 * lockAtMostFor} has passed, or when this node leads the path no more. A job that writes asks for the {@link
 * #fencingToken} before its work.
 *
 * <p>One thread at a time may unlock or extend it; any thread may ask it.
 */
public final class QuorateLock extends AbstractSimpleLock {

    /** Longer than any process, and far from where sums of nanoseconds overflow. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final NamedPath path;
    private final long token;
    private final long nanosAtMost;
    private final long nanosAtLeast;

    /** @param nanosBegun when it began, by the clock of the provider */
    QuorateLock(NamedPath path, LockConfiguration configuration, long token, long nanosBegun) {
        super(configuration);
        this.path = path;
        this.token = token;
        this.nanosAtMost = nanosBegun + nanos(configuration.getLockAtMostFor());
        this.nanosAtLeast = nanosBegun + nanos(configuration.getLockAtLeastFor());
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }

    /** {@return when it ends by itself} */
    long nanosAtMost() {
        return nanosAtMost;
    }

    /** {@return until when its name stays locked on this node although it is unlocked} */
    long nanosAtLeast() {
        return nanosAtLeast;
    }

    String name() {
        return lockConfiguration.getName();
    }

    /**
     * Answers whether this lock is held at the moment of the call. Once it is false, it stays false. This takes
     * nanoseconds and never blocks.
     *
     * @return false once it is unlocked, extended or over
     */
    public boolean isHeld() {
        return path.isHeldBy(this);
    }

    /**
     * Answers the fencing token of the leadership that this lock rests on. Send it with each write of the job. The
     * answer stays the same when the lock is over; a store that has seen a higher one then refuses it. All runs of one
     * leadership have the same token.
     *
     * @return at least 1, and higher than that of each leadership of the path before it
     */
    public long fencingToken() {
        return token;
    }

    @Override
    protected void doUnlock() {
        path.unlock(this);
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
        return path.extend(this, configuration);
    }

    @Override
    public String toString() {
        return "Lock " + name() + " with token " + token;
    }
}
