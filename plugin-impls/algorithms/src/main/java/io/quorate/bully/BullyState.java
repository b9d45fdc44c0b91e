package io.quorate.bully;

import io.quorate.bully.BullyElection.Phase;
import io.quorate.machine.Terms;
import io.quorate.spi.Election;
import io.quorate.spi.WireWriter;
import java.util.SortedSet;

/**
 * The whole state of a machine, whose fields explain it; {@code suspects} is a set that is never changed.
 *
 * @param terms what only H uses; {@link Terms#NONE} in F
 */
record BullyState(int leader, Phase phase, SortedSet<Integer> suspects, Terms terms) implements Election.State {

    BullyState with(Terms ofHardened) {
        return new BullyState(leader, phase, suspects, ofHardened);
    }

    @Override
    public void writeTo(WireWriter out) {
        out.writeUnsigned(leader + 1);
        out.writeByte(phase.ordinal());
        out.writeUnsigned(suspects.size());
        for (int suspect : suspects) {
            out.writeUnsigned(suspect);
        }
        terms.writeTo(out);
    }
}
