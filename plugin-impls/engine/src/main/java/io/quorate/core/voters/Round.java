package io.quorate.core.voters;

import io.quorate.core.settings.WireParts;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Comparator;

/**
 * The number of one attempt to decide who votes next: a ballot of Paxos, which is called a round here because a ballot
 * is a voter's vote on a path. No two attempts have the same number, since it names the life of the process.
 *
 * @param counter     rises with each attempt that a proposer makes or hears of
 * @param proposer    the node that makes the attempt
 * @param incarnation the life with which that process began
 */
public record Round(long counter, NodeId proposer, long incarnation) implements Comparable<Round> {

    /** How far an honest coordinator counts at most while nobody hears of it. */
    private static final long LEAP_MAX = 1L << 32;

    private static final Comparator<Round> ORDER = Comparator.comparingLong(Round::counter)
            .thenComparing(Round::proposer)
            .thenComparingLong(Round::incarnation);

    @Override
    public int compareTo(Round other) {
        return ORDER.compare(this, other);
    }

    /**
     * This round, or the nearest one to that counter that an honest coordinator can have reached since. A node that
     * follows rounds only so far uses them up no faster than honest coordinators do.
     */
    public Round following(long known) {
        return counter - known > LEAP_MAX ? new Round(known + LEAP_MAX, proposer, incarnation) : this;
    }

    /** Writes the fields. */
    public void writeTo(WireWriter out) {
        out.writeUnsigned(counter);
        WireParts.writeNodeId(proposer, out);
        out.writeUnsigned(incarnation);
    }

    /** Reads what {@link #writeTo} wrote. */
    public static Round read(WireReader in) throws MalformedInputException {
        return new Round(in.readUnsigned(), in.readNodeId(), in.readUnsigned());
    }
}
