package io.quorate.machine;

import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/**
 * K2 of docs/algorithms/common.md#hardening-rules: what orders victories.
 *
 * @param term the highest term in any message
 * @param seen the last accepted victory, (term, leader); {@link Mark#NONE} before the first
 */
public record Terms(long term, Mark seen) {

    /** Before the first election. */
    public static final Terms NONE = new Terms(0, Mark.NONE);

    private static final int PROCESS_MAX = 1 << 16;

    public Terms {
        Check.state(term >= seen.term(), "term %d is below the accepted %s", term, seen);
    }

    /** The victory of a process in a term. */
    public static Mark victory(long term, int leader) {
        return new Mark(term, leader, 0);
    }

    /** After a message with this term. */
    public Terms merged(long other) {
        return other > term ? new Terms(other, seen) : this;
    }

    /** After an own victory, which is above every term that was heard of. */
    public Terms won(int self) {
        return new Terms(term + 1, victory(term + 1, self));
    }

    /** After a victory of another process, whose term was merged. */
    public Terms accepted(Mark victory) {
        return new Terms(term, victory);
    }

    /**
     * A term for the announcer of a victory below the accepted one: it must go above. With the accepted term alone the
     * two would exchange messages without end.
     */
    public Terms aboveSeen() {
        return merged(seen.term() + 1);
    }

    /** Writes both. */
    public void writeTo(WireWriter out) {
        out.writeUnsigned(term);
        out.writeUnsigned(seen.term());
        out.writeUnsigned(seen.process() + 1);
    }

    /** Reads what {@link #writeTo} wrote. */
    public static Terms read(WireReader in) throws MalformedInputException {
        long term = in.readUnsigned();
        return new Terms(term, victory(in.readUnsigned(), in.readUnsigned(PROCESS_MAX) - 1));
    }
}
