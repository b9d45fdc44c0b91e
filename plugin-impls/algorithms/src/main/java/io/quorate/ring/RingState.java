package io.quorate.ring;

import io.quorate.spi.Election;
import io.quorate.spi.WireWriter;
import java.util.SortedSet;

/** The state of {@link RingElection}, whose fields explain it; {@code suspects} is a set that is never changed. */
public record RingState(int leader, boolean participating, SortedSet<Integer> suspects) implements Election.State {

    @Override
    public void writeTo(WireWriter out) {
        out.writeUnsigned(leader + 1);
        out.writeBoolean(participating);
        out.writeUnsigned(suspects.size());
        suspects.forEach(out::writeUnsigned);
    }
}
