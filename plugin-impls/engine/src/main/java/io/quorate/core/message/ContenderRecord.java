package io.quorate.core.message;

import io.quorate.core.settings.WireParts;
import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.RankOrder;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Comparator;
import java.util.Objects;

/**
 * The voters' record of one contender. Only its own node changes it.
 *
 * @param id            the contender
 * @param participantId the application's name for it; need not be unique
 * @param stamp         its place in the join order, from 1; 0 while it joins
 * @param weight        for {@link RankOrder#PRIORITY} and {@link RankOrder#SPREAD}; the higher, the better. Under every
 *                      rank order {@link #LAST} says that it ranks behind all others
 * @param token         the token of its tenure while it leads, else 0
 * @param version       rises with each change of any contender of that node
 */
public record ContenderRecord(ContenderId id, String participantId, long stamp, long weight, long token, long version) {

    /** The longest participant id on the wire, in UTF-8 bytes. */
    public static final int PARTICIPANT_ID_MAX = 1024;

    /** The weight of a contender that ranks last. No other has it: priorities are in the range of an int. */
    public static final long LAST = Long.MIN_VALUE;

    public ContenderRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(participantId, "participantId");
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof ContenderRecord registration
                        && version == registration.version
                        && token == registration.token
                        && stamp == registration.stamp
                        && weight == registration.weight
                        && id.equals(registration.id)
                        && participantId.equals(registration.participantId);
    }

    @Override
    public int hashCode() {
        return 31 * id.hashCode() + Long.hashCode(version);
    }

    /** The same, holding the objects that stand for the equal names of a former version. */
    public ContenderRecord withNamesOf(ContenderRecord former) {
        Check.state(former.id.equals(id), "%s is no former version of %s", former, this);
        String name = former.participantId.equals(participantId) ? former.participantId : participantId;
        return new ContenderRecord(former.id, name, stamp, weight, token, version);
    }

    /** The same of a contender that does not lead. */
    public ContenderRecord withoutToken() {
        return new ContenderRecord(id, participantId, stamp, weight, 0, version);
    }

    /** Whether it has its place in the join order. */
    public boolean isJoined() {
        return stamp > 0;
    }

    /** Whether it says of itself that it leads. */
    public boolean isLeading() {
        return token > 0;
    }

    /** Whether it ranks behind all that do not, so that it leads only if none of these does. */
    public boolean isLast() {
        return weight == LAST;
    }

    /** Best rank first. */
    public static Comparator<ContenderRecord> ranking(RankOrder order) {
        Comparator<ContenderRecord> firstCome = ContenderRecord::compareJoining;
        Comparator<ContenderRecord> lastLast = (a, b) -> Boolean.compare(a.isLast(), b.isLast());
        return switch (order) {
            case JOIN_ORDER -> lastLast.thenComparing(firstCome);
            case NODE_ID ->
                lastLast.thenComparing(Comparator.comparing((ContenderRecord r) -> r.id().node())
                                .reversed())
                        .thenComparing(firstCome);
            // The lowest weight of all ranks last by itself.
            case PRIORITY, SPREAD ->
                Comparator.comparingLong(ContenderRecord::weight).reversed().thenComparing(firstCome);
        };
    }

    private static int compareJoining(ContenderRecord a, ContenderRecord b) {
        return a.stamp != b.stamp ? Long.compare(a.stamp, b.stamp) : a.id.compareTo(b.id);
    }

    void writeTo(WireWriter out) {
        id.writeTo(out);
        WireParts.writeCut(participantId, PARTICIPANT_ID_MAX, out);
        out.writeUnsigned(stamp);
        out.writeLong(weight);
        out.writeUnsigned(token);
        out.writeUnsigned(version);
    }

    /** Reads it, with names that others have too. */
    static ContenderRecord read(WireReader in, Names names) throws MalformedInputException {
        return new ContenderRecord(
                names.shared(ContenderId.read(in)),
                names.shared(in.readString(PARTICIPANT_ID_MAX)),
                in.readUnsigned(),
                in.readLong(),
                in.readUnsigned(),
                in.readUnsigned());
    }
}
