package io.quorate.threephase;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Comparator;

/**
 * H: who was elected in which round; the greater decision is the later one.
 *
 * @param epoch  the round of the decision; -1 before the first one
 * @param leader whom it made the leader; -1 for nobody
 */
record Decision(long epoch, int leader) implements Comparable<Decision> {

    private static final Comparator<Decision> ORDER =
            Comparator.comparingLong(Decision::epoch).thenComparingInt(Decision::leader);

    @Override
    public int compareTo(Decision other) {
        return ORDER.compare(this, other);
    }

    /** G19: the term is the epoch plus 1, because terms begin at 0 and an initial leader has the epoch -1. */
    Mark mark() {
        return new Mark(epoch + 1, leader, 0);
    }

    void writeTo(WireWriter out) {
        out.writeUnsigned(epoch + 1);
        out.writeUnsigned(leader + 1);
    }

    static Decision read(WireReader in) throws MalformedInputException {
        return new Decision(ThreePhaseMessage.readEpoch(in), in.readUnsigned(ThreePhaseMessage.PROCESS_MAX + 1) - 1);
    }
}
