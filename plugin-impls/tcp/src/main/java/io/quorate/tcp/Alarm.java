package io.quorate.tcp;

/** The clock reading of one step of the loop, and when a time may be over next. Confined to the loop. */
final class Alarm {

    private long now = System.nanoTime();
    private long at = now;

    /** Time passes here, and nowhere else. */
    void read() {
        now = System.nanoTime();
    }

    long now() {
        return now;
    }

    /** Forgets the times that were due, as they are all looked at now; {@code at} is the latest for the next look. */
    void restart(long latest) {
        at = latest;
    }

    /** Rings then, or before. */
    void due(long time) {
        if (time - at < 0) {
            at = time;
        }
    }

    boolean isRinging() {
        return now - at >= 0;
    }

    /** How long nothing is due, in nanoseconds, by the clock as it is now. */
    long left() {
        return Math.max(0, at - System.nanoTime());
    }
}
