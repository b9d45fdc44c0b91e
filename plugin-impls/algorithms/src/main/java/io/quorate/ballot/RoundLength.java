package io.quorate.ballot;

import io.quorate.machine.Patience;
import io.quorate.spi.WireWriter;

/**
 * H5: how long the rounds of a process are. A round with a late reply is followed by one of double length, in place of
 * L37. After {@link #CLEAN_ROUNDS} rounds in a row without one they are halved, unless half would be shorter than twice
 * the slowest of their replies.
 *
 * @param patience how much longer than Delta a round is (K8)
 * @param clean    how many rounds in a row had no late reply
 * @param slowest  how long the slowest reply of these rounds took
 * @param askedAt  when the requests of this round left
 */
record RoundLength(Patience patience, int clean, long slowest, long askedAt) {

    static final RoundLength SHORTEST = new RoundLength(Patience.BASE, 0, 0, 0);

    private static final int CLEAN_ROUNDS = 20;

    /** A round begins. */
    RoundLength asked(long now) {
        return new RoundLength(patience, clean, slowest, now);
    }

    /** A reply of this round has come. */
    RoundLength answered(long now) {
        return new RoundLength(patience, clean, Math.max(slowest, now - askedAt), askedAt);
    }

    /** A reply of a former round has come. */
    RoundLength late() {
        return new RoundLength(patience.afterLate(), clean, slowest, askedAt);
    }

    /** A round ends in which this process has asked; the shortest possible one is {@code base}. */
    RoundLength ended(long base) {
        if (patience.late()) {
            return new RoundLength(patience.afterTimeout(), 0, 0, askedAt);
        }
        if (clean + 1 < CLEAN_ROUNDS) {
            return new RoundLength(patience, clean + 1, slowest, askedAt);
        }
        boolean isHalfEnough = 4 * slowest <= patience.of(base);
        return new RoundLength(isHalfEnough ? patience.halved() : patience, 0, 0, askedAt);
    }

    void writeTo(WireWriter out) {
        patience.writeTo(out);
        out.writeByte(clean);
        out.writeLong(slowest);
        out.writeLong(askedAt);
    }
}
