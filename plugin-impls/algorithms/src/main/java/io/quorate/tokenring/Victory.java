package io.quorate.tokenring;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Comparator;

/**
 * K2: what an election ended with. The closer tells apart two lists that elected the same leader in the same term over
 * different rings, so that everybody keeps the same ring.
 *
 * @param term   the term of the election, 0 in F
 * @param leader the elected, -1 for nobody
 * @param closer the process that the list came home to (source 004: the starter), -1 for a configured leader
 */
record Victory(long term, int leader, int closer) implements Comparable<Victory> {

    static final Victory NONE = new Victory(0, -1, -1);

    private static final Comparator<Victory> ORDER = Comparator.comparingLong(Victory::term)
            .thenComparingInt(Victory::leader)
            .thenComparingInt(Victory::closer);

    @Override
    public int compareTo(Victory other) {
        return ORDER.compare(this, other);
    }

    /** The mark of the indication, which does not tell the closers apart. */
    Mark mark() {
        return new Mark(term, leader, 0);
    }

    void writeTo(WireWriter out) {
        out.writeUnsigned(term);
        out.writeUnsigned(leader + 1);
        out.writeUnsigned(closer + 1);
    }

    static Victory read(WireReader in) throws MalformedInputException {
        return new Victory(in.readUnsigned(), TokenRingMessage.readProcess(in), TokenRingMessage.readProcess(in));
    }
}
