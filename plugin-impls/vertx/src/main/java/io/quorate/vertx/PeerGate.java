package io.quorate.vertx;

import java.util.OptionalLong;

/**
 * Decides which frames are written to one peer: few at a time, and none for a while if the peer cannot be reached. Each
 * attempt to connect has a cost, and on an application's Vertx each one that fails is logged with a stack trace.
 *
 * <p>Times are nanoseconds of one clock, compared by difference. Thread-safe: written by the sending thread, answered
 * by the event loop.
 */
final class PeerGate {

    /**
     * The most writes under way; it is one to an unreachable peer. Together they fill no buffer of a socket, so closing
     * the socket never waits.
     */
    static final int PENDING_MAX = 32;
    /** The first pause after a failure: about one heartbeat. */
    static final long PAUSE_MIN_NANOS = 100_000_000;
    /** The longest pause: a peer that is back may get no frame for so long, unless it speaks first. */
    static final long PAUSE_MAX_NANOS = 1_000_000_000;
    /** A peer that comes and goes is reported as unreachable once in this time. */
    static final long REPORT_NANOS = 60_000_000_000L;
    /** A peer that starts after the others is there by then: what is wrong now stays wrong until somebody mends it. */
    static final long MISSING_NANOS = 60_000_000_000L;

    private int pending;
    private long pause;
    private long pausedAt;
    private boolean isPauseOver = true;
    private boolean wasShortened;
    private boolean unreachable;
    private boolean everReached;
    private boolean wasReported;
    private long reportedAt;
    /** When the first attempt failed, of a peer that was never reached. */
    private OptionalLong missingSince = OptionalLong.empty();

    private boolean isMissingTold;

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
     * Whether the frame that was taken must still be written: frames before it may have failed meanwhile. If so,
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

    /** A write succeeded: there is a connection. Answers whether there was none before. */
    synchronized boolean onWritten() {
        boolean changed = unreachable;
        pending--;
        pause = 0;
        wasShortened = false;
        everReached = true;
        unreachable = false;
        return changed;
    }

    /** A write failed; answers as {@link #onUnreachable}. */
    synchronized boolean onFailed(long now) {
        pending--;
        return onUnreachable(now);
    }

    /** An attempt has failed. Answers whether to report that: the peer was reachable, and no report is recent. */
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

    /** Whether to say, once, that no attempt has succeeded since the first one, which was long ago. */
    synchronized boolean isMissing(long now) {
        if (everReached || isMissingTold) {
            return false;
        }
        if (missingSince.isEmpty()) {
            missingSince = OptionalLong.of(now);
        }
        isMissingTold = now - missingSince.getAsLong() >= MISSING_NANOS;
        return isMissingTold;
    }

    /** How long the next attempt has to wait. */
    synchronized long pause() {
        return pause;
    }

    /**
     * A frame came from the peer. That does not prove that the peer can be reached, because a link may work in one
     * direction only, but it is a reason to try. So this ends the pause, once until a write succeeds again. Answers
     * whether it did.
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
