package io.quorate.bully;

import io.quorate.bully.Bully.Phase;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

import java.util.SortedSet;

/** The whole state of {@link Bully}, whose fields explain it; {@code suspects} is a set that is never changed. */
record BullyState(long term, Mark seen, int leader, Phase phase, SortedSet<Integer> suspects)
        implements Election.State {

    private static final int PROCESS_MAX = 1 << 16;

    @Override
    public void writeTo(WireWriter out) {
        writeTerms(out);
        out.writeUnsigned(leader + 1);
        out.writeByte(phase.ordinal());
        out.writeUnsigned(suspects.size());
        for (int suspect : suspects) {
            out.writeUnsigned(suspect);
        }
    }

    /** K7: the part that the next life of the process starts with. */
    Event.Saved saved() {
        WireWriter out = new WireWriter();
        writeTerms(out);
        return new Event.Saved(out.toBytes());
    }

    /** This state with the terms that {@link #saved()} kept. */
    BullyState withSaved(Event.Saved saved) {
        try {
            WireReader in = new WireReader(saved.bytes());
            long savedTerm = in.readUnsigned();
            Mark savedSeen = new Mark(in.readUnsigned(), in.readUnsigned(PROCESS_MAX) - 1, 0);
            in.expectEnd();
            return new BullyState(savedTerm, savedSeen, leader, phase, suspects);
        } catch (MalformedInputException e) {
            throw new IllegalStateException("saved state " + saved + ": was not written by this algorithm", e);
        }
    }

    private void writeTerms(WireWriter out) {
        out.writeUnsigned(term);
        out.writeUnsigned(seen.term());
        out.writeUnsigned(seen.process() + 1);
    }
}
