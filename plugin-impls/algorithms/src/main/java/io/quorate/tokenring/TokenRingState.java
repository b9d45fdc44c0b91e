package io.quorate.tokenring;

import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.tokenring.TokenRingMessage.Attempt;

import java.util.List;
import java.util.SortedSet;

/** The whole state of {@link TokenRing}, whose fields explain it; the collections are never changed. */
record TokenRingState(Terms terms, Result result, boolean participating, Attempt attempt, SortedSet<Integer> suspects)
        implements Election.State {

    /** K2: the highest term in any message, and the last accepted victory. */
    record Terms(long term, Victory seen) {
    }

    /** Who leads, and over whom. */
    record Result(int leader, List<Integer> ring) {
        Result {
            ring = List.copyOf(ring);
        }
    }

    @Override
    public void writeTo(WireWriter out) {
        writeTerms(out);
        out.writeUnsigned(result.leader() + 1);
        TokenRingMessage.writeProcesses(out, result.ring());
        out.writeBoolean(participating);
        out.writeUnsigned(attempt.incarnation());
        out.writeUnsigned(attempt.number());
        TokenRingMessage.writeProcesses(out, List.copyOf(suspects));
    }

    /** K7: the part that the next life of the process starts with. */
    Event.Saved saved() {
        WireWriter out = new WireWriter();
        writeTerms(out);
        return new Event.Saved(out.toBytes());
    }

    /** This state with the terms that {@link #saved()} kept. */
    TokenRingState withSaved(Event.Saved saved) {
        try {
            WireReader in = new WireReader(saved.bytes());
            Terms restored = new Terms(in.readUnsigned(), Victory.read(in));
            in.expectEnd();
            return new TokenRingState(restored, result, participating, attempt, suspects);
        } catch (MalformedInputException e) {
            throw new IllegalStateException("saved state " + saved + ": was not written by this algorithm", e);
        }
    }

    private void writeTerms(WireWriter out) {
        out.writeUnsigned(terms.term());
        terms.seen().writeTo(out);
    }
}
