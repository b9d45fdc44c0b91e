package io.quorate.client;

import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatchListener;
import io.quorate.engine.Tenure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A tenure of a latch, and how far its listeners and the engine have heard of it. */
final class CurrentTenure {

    final Tenure tenure;
    /** Whether the engine has heard of its end. */
    private volatile boolean isReported;

    volatile boolean isSilenced;
    /** What a listener threw when it was told that the tenure has begun; null if none did. */
    volatile @Nullable Throwable failure;
    /** How long the latch does not contend after the tenure. */
    volatile Duration pause = Duration.ZERO;
    /** Whether the {@code isLeader} callbacks that {@code await} waits for have returned, or had their time. */
    volatile boolean isAnnounced;
    /** Whether a timer runs that ends the wait for them. */
    volatile boolean isBounded;
    /** Null unless its work is being finished, and it leaves then. Written under the latch's lock. */
    volatile @Nullable Draining draining;

    CurrentTenure(Tenure tenure) {
        this.tenure = tenure;
    }

    /** Whether voters have granted it; a shadow leads without. */
    boolean hasVoters() {
        return tenure.token() != 0;
    }

    /** Notes that the engine hears of its end. Answers whether it has not heard of it before. */
    boolean report() {
        // Threads that ask whether it leads come here until the engine has answered. They do not wait for each other.
        return !isReported && reportOnce();
    }

    private synchronized boolean reportOnce() {
        boolean isFirst = !isReported;
        isReported = true;
        return isFirst;
    }

    /** Tells the listener that the tenure has begun, unless that was taken back. */
    void announceTo(LeaderLatchListener listener) {
        if (isSilenced) {
            return;
        }
        if (listener instanceof FencedLeaderLatchListener fenced) {
            fenced.isLeader(tenure.token());
        } else {
            listener.isLeader();
        }
    }
}
