package io.quorate;

import io.quorate.core.Tenure;
import java.util.concurrent.atomic.AtomicBoolean;

/** A tenure of a latch, with what was done about it. */
final class Reign {
    final Tenure tenure;
    final AtomicBoolean isReported = new AtomicBoolean();
    volatile boolean isSilenced;

    Reign(Tenure tenure) {
        this.tenure = tenure;
    }

    /** Tells the listener that it has begun, unless that was taken back. */
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
