package io.quorate.cli.play;

import java.io.InterruptedIOException;

/** One direction of a proxy, open if no cut holds it closed. All threads may use it. */
final class Valve {

    private int cuts;

    synchronized void cut() {
        cuts++;
    }

    /** Ends one of the cuts; they may overlap. */
    synchronized void heal() {
        cuts--;
        notifyAll();
    }

    /** Open for good, so that nobody waits any more. */
    synchronized void end() {
        cuts = Integer.MIN_VALUE / 2;
        notifyAll();
    }

    synchronized void awaitOpen() throws InterruptedIOException {
        try {
            while (cuts > 0) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("cut");
        }
    }
}
