package io.quorate.vertx;

/**
 * Decides what is written to one peer: few frames at a time, and after a failure none for a while, because each write
 * to a dead peer is an attempt to connect, and Vert.x logs each failed attempt with a stack trace.
 *
 * <p>Times are nanoseconds of one clock, compared by difference. Thread-safe: written by the sending thread, answered
 * by the event loop.
 */
final class PeerGate {

    /**
     * The most writes under way; together they fill no socket's buffer, so closing it never waits. To an unreachable
     * peer it is one.
     */
    static final int PENDING_MAX = 32;
    /** The first pause after a failure: about one heartbeat. */
    static final long PAUSE_MIN_NANOS = 100_000_000;
    /** The longest pause, and so the longest that a peer which came back is ignored, unless it speaks first. */
    static final long PAUSE_MAX_NANOS = 1_000_000_000;

    private int pending;
    private long pause;
    private long pausedAt;
    private boolean unreachable;
    private boolean everReached;

    /** Whether one more frame may be taken now; then {@link #proceed} must follow. */
    synchronized boolean enter(long now) {
        int pendingMax = unreachable ? 1 : PENDING_MAX;
        if (pending >= pendingMax || isPaused(now)) {
            return false;
        }
        pending++;
        return true;
    }

    /**
     * Whether the frame that was taken is still to be written, for frames before it may have failed meanwhile; then
     * {@link #onWritten} or {@link #onFailed} must follow.
     */
    synchronized boolean proceed(long now) {
        if (isPaused(now)) {
            pending--;
            return false;
        }
        return true;
    }

    /** Whether nothing was ever heard of the peer, or a failure was the last that was. */
    synchronized boolean isUnproved() {
        return unreachable || !everReached;
    }

    /** Whether the peer was reached at any time. */
    synchronized boolean wasEverReached() {
        return everReached;
    }

    /** A write succeeded; answers whether the peer was unreachable until now. */
    synchronized boolean onWritten() {
        pending--;
        return onReached();
    }

    /** A write failed; answers whether the peer was reachable until now. */
    synchronized boolean onFailed(long now) {
        pending--;
        // The frames that waited for one connection fail together, and count as one failure.
        if (!isPaused(now)) {
            pause = Math.max(PAUSE_MIN_NANOS, Math.min(PAUSE_MAX_NANOS, 2 * pause));
            pausedAt = now;
        }
        boolean changed = !unreachable;
        unreachable = true;
        return changed;
    }

    /** A frame came from the peer; answers whether it was unreachable until now. */
    synchronized boolean onReached() {
        pause = 0;
        boolean changed = unreachable;
        everReached = true;
        unreachable = false;
        return changed;
    }

    private boolean isPaused(long now) {
        return pause > 0 && now - pausedAt < pause;
    }
}
