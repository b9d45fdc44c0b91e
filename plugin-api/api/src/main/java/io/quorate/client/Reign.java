package io.quorate.client;

import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatchListener;
import io.quorate.core.step.Tenure;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A tenure of a latch, and how far its listeners and the engine have heard of it. */
final class Reign {

    private static final AtomicIntegerFieldUpdater<Reign> REPORTED =
            AtomicIntegerFieldUpdater.newUpdater(Reign.class, "reported");

    final Tenure tenure;
    /** 1 once the engine has heard of its end. */
    @SuppressWarnings("UnusedVariable") // by REPORTED
    private volatile int reported;

    volatile boolean isSilenced;
    /** Whether a listener threw when it was told that the tenure has begun. */
    volatile boolean hasFailed;
    /** Whether the {@code isLeader} callbacks that {@code await} waits for have returned, or had their time. */
    volatile boolean isAnnounced;
    /** Whether a timer runs that ends the wait for them. */
    volatile boolean isBounded;
    /** Null unless its work is being finished, and it leaves then. Written under the latch's lock. */
    volatile @Nullable Draining draining;

    Reign(Tenure tenure) {
        this.tenure = tenure;
    }

    /** Whether voters have granted it; a shadow leads without. */
    boolean hasVoters() {
        return tenure.token() != 0;
    }

    /** Notes that the engine hears of its end. Answers whether it has not heard of it before. */
    boolean report() {
        return REPORTED.compareAndSet(this, 0, 1);
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
