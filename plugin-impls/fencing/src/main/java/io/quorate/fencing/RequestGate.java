package io.quorate.fencing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The requests of one path that are inside the server. Those of one token are inside together. One with a higher token
 * waits until they have left: else work of a lower token that was let in could write after it.
 */
final class RequestGate {

    private final long patienceNanos;

    // All are guarded by this.
    private long highest;
    private long admitted;
    private int inside;

    /** @param patience how long a request waits for those of a lower token at most */
    RequestGate(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    /**
     * Answers false if requests of a lower token have stayed inside for too long. The token counts as seen all the
     * same.
     *
     * @throws StaleTokenException if a higher token has been seen, or is seen meanwhile
     */
    synchronized boolean enter(Fence fence) throws InterruptedException {
        fence.refuseBelow(highest);
        highest = fence.token();
        long begin = System.nanoTime();
        while (inside > 0 && admitted < fence.token()) {
            long left = patienceNanos - (System.nanoTime() - begin);
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
            fence.refuseBelow(highest);
        }
        admitted = fence.token();
        inside++;
        return true;
    }

    /** A request that had entered has left. */
    synchronized void leave() {
        inside--;
        if (inside == 0) {
            notifyAll();
        }
    }
}
