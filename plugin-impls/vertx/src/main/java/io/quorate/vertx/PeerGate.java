package io.quorate.vertx;

/**
 * Decides what is written to one peer: few frames at a time, and to one that cannot be reached none for a while,
 * because each attempt to connect costs something, and on an application's Vertx each one that fails is logged with a
 * stack trace.
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
    /** A peer that comes and goes is reported as unreachable once in this time. */
    static final long REPORT_NANOS = 60_000_000_000L;

    private int pending;
    private long pause;
    private long pausedAt;
    private boolean isPauseOver = true;
    private boolean wasShortened;
    private boolean unreachable;
    private boolean everReached;
    private boolean wasReported;
    private long reportedAt;

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

    /** Whether the peer was reached at any time. */
    synchronized boolean wasEverReached() {
        return everReached;
    }

    /** A write succeeded: there is a connection. */
    synchronized void onWritten() {
        pending--;
        pause = 0;
        wasShortened = false;
        everReached = true;
        unreachable = false;
    }

    /** A write failed; answers as {@link #onUnreachable}. */
    synchronized boolean onFailed(long now) {
        pending--;
        return onUnreachable(now);
    }

    /** An attempt has failed. Answers whether that is news: until now the peer was reachable, and no other news was. */
    synchronized boolean onUnreachable(long now) {
        // The frames that waited for one connection fail together, and count as one failure.
        if (!isPaused(now)) {
            pause = Math.max(PAUSE_MIN_NANOS, Math.min(PAUSE_MAX_NANOS, 2 * pause));
            pausedAt = now;
            isPauseOver = false;
        }
        boolean changed = !unreachable;
        unreachable = true;
        if (!changed || wasReported && now - reportedAt < REPORT_NANOS) {
            return false;
        }
        wasReported = everReached;
        reportedAt = now;
        return true;
    }

    /** How long the next attempt has to wait. */
    synchronized long pause() {
        return pause;
    }

    /**
     * A frame came from the peer. That is no proof that it can be reached, for links may work in one direction only,
     * but a reason to try: the pause is over, once per failure after a success. Answers whether it was.
     */
    synchronized boolean onHeard() {
        if (!unreachable || wasShortened) {
            return false;
        }
        wasShortened = true;
        isPauseOver = true;
        return true;
    }

    private boolean isPaused(long now) {
        return !isPauseOver && now - pausedAt < pause;
    }
}
