package io.quorate.lcr;

import io.quorate.lcr.LcrMessage.Attempt;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

import java.util.SortedSet;

/** The whole state of {@link Lcr}, whose fields explain it; {@code suspects} is a set that is never changed. */
record LcrState(Victory victory, int leader, boolean participating, Attempt attempt, SortedSet<Integer> suspects)
        implements Election.State {

    /** K2: the highest term in any message, and the last accepted victory. */
    record Victory(long term, Mark seen) {
    }

    @Override
    public void writeTo(WireWriter out) {
        writeVictory(out);
        out.writeUnsigned(leader + 1);
        out.writeBoolean(participating);
        out.writeUnsigned(attempt.incarnation());
        out.writeUnsigned(attempt.number());
        out.writeUnsigned(suspects.size());
        for (int suspect : suspects) {
            out.writeUnsigned(suspect);
        }
    }

    /** K7: the part that the next life of the process starts with. */
    Event.Saved saved() {
        WireWriter out = new WireWriter();
        writeVictory(out);
        return new Event.Saved(out.toBytes());
    }

    /** This state with the terms that {@link #saved()} kept. */
    LcrState withSaved(Event.Saved saved) {
        try {
            WireReader in = new WireReader(saved.bytes());
            long term = in.readUnsigned();
            Mark seen = new Mark(in.readUnsigned(), in.readUnsigned(LcrMessage.PROCESS_MAX) - 1, 0);
            in.expectEnd();
            return new LcrState(new Victory(term, seen), leader, participating, attempt, suspects);
        } catch (MalformedInputException e) {
            throw new IllegalStateException("saved state " + saved + ": was not written by this algorithm", e);
        }
    }

    private void writeVictory(WireWriter out) {
        out.writeUnsigned(victory.term());
        out.writeUnsigned(victory.seen().term());
        out.writeUnsigned(victory.seen().process() + 1);
    }
}
