package io.quorate.testkit.simulation;

import java.util.function.LongSupplier;

/** Wakes a node when it asked for that. At most one wake-up is pending that is not later than all others. */
final class Alarm {

    private static final long NEVER = Long.MAX_VALUE;

    private final VirtualProcess process;
    private final LongSupplier nextWake;
    private final Runnable wake;
    private long life;
    private long at = NEVER;

    /**
     * @param nextWake when the node wants to be woken, by the clock of the process
     * @param wake     wakes it
     */
    Alarm(VirtualProcess process, LongSupplier nextWake, Runnable wake) {
        this.process = process;
        this.nextWake = nextWake;
        this.wake = wake;
    }

    /** To be called after each step of the node. */
    void set() {
        long instant = Math.max(process.time.now(), process.clock.realOf(nextWake.getAsLong()));
        if (life == process.life() && at <= instant) {
            return;
        }
        life = process.life();
        at = instant;
        process.laterInThisLife(instant, () -> {
            if (at == instant) {
                at = NEVER;
                onDue();
            }
        });
    }

    private void onDue() {
        if (process.isPaused()) {
            return;
        }
        if (nextWake.getAsLong() - process.clock.nanoTime() <= 0) {
            process.wake(wake);
        } else {
            // The wake-up was put off meanwhile, or the conversion was rounded.
            process.laterInThisLife(process.time.now() + 1, this::set);
        }
    }

    /** Instants of the clock are others of real time now. */
    void clockChanged() {
        at = NEVER;
        set();
    }
}
