package io.quorate.testkit.model;

import io.quorate.spi.Effect;
import io.quorate.spi.Mark;
import io.quorate.spi.WireWriter;

/**
 * The leaders that one process indicates, as far as BLE3 speaks of them: successive indications have increasing marks,
 * and a mark names one leader. An equal mark is allowed after the indication that there is none.
 *
 * @param isAcrossLives whether the first indication of a life is compared with the last one of the life before
 * @param last          the mark of the last indication, if any
 * @param isWithdrawn   whether there is nothing to compare with, or the indication of no leader came after it
 * @param isMonotonic   whether BLE3 holds so far
 */
public record Indications(boolean isAcrossLives, Mark last, boolean isWithdrawn, boolean isMonotonic)
        implements History {

    /** Each life of a process by itself. */
    public static final Indications OF_EACH_LIFE = new Indications(false, Mark.NONE, true, true);

    /** All lives of a process as one. */
    public static final Indications ACROSS_LIVES = new Indications(true, Mark.NONE, true, true);

    @Override
    public Indications after(Effect effect) {
        if (effect instanceof Effect.NoNominee) {
            return new Indications(isAcrossLives, last, true, isMonotonic);
        }
        if (effect instanceof Effect.Nominate indication) {
            int order = indication.mark().compareTo(last);
            boolean isLater = order > 0 || order == 0 && isWithdrawn;
            boolean isNamed = indication.mark().process() == indication.nominee();
            return new Indications(isAcrossLives, indication.mark(), false, isMonotonic && isLater && isNamed);
        }
        return this;
    }

    @Override
    public Indications afterRestart() {
        // A crashed process indicates nobody.
        return new Indications(isAcrossLives, isAcrossLives ? last : Mark.NONE, true, isMonotonic);
    }

    @Override
    public void writeTo(WireWriter out) {
        out.writeUnsigned(last.process() + 1);
        out.writeUnsigned(last.term());
        out.writeUnsigned(last.incarnation());
        out.writeBoolean(isWithdrawn);
        out.writeBoolean(isMonotonic);
    }

    /** Whether BLE3 holds at every process; for {@link ModelChecker#always}. */
    public static boolean areMonotonic(ModelChecker.World world) {
        for (int process = 0; process < world.size(); process++) {
            if (!((Indications) world.history(process)).isMonotonic) {
                return false;
            }
        }
        return true;
    }
}
