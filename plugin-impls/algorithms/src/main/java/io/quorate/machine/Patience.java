package io.quorate.machine;

import io.quorate.spi.WireWriter;

/**
 * K8 of docs/algorithms/common.md#hardening-rules: how long a process waits before it tries again. A message that comes
 * after its time-out proves that the time-out was too short, and the retry takes twice as long. Silence proves nothing,
 * because a longer time-out would not help against loss or a crash.
 *
 * @param doublings how often the time-out was doubled since the last success
 * @param late      whether something came too late since the last retry
 */
public record Patience(int doublings, boolean late) {

    /** After a success. */
    public static final Patience BASE = new Patience(0, false);

    /** A million times the base, so that no number overflows. A peer must lie for half of that to bring it about. */
    private static final int DOUBLINGS_MAX = 20;

    /** After something that came too late. */
    public Patience afterLate() {
        return new Patience(doublings, true);
    }

    /** At a retry. */
    public Patience afterTimeout() {
        return new Patience(late ? Math.min(doublings + 1, DOUBLINGS_MAX) : doublings, false);
    }

    /** After half of the time-out would have been enough. */
    public Patience halved() {
        return new Patience(Math.max(doublings - 1, 0), late);
    }

    /** How long a time-out is that takes {@code base} at first. */
    public long of(long base) {
        return base << doublings;
    }

    /** Writes both. */
    public void writeTo(WireWriter out) {
        out.writeByte(doublings);
        out.writeBoolean(late);
    }
}
