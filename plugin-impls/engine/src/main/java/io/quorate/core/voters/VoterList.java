package io.quorate.core.voters;

import io.quorate.core.settings.Fnv64;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.settings.WireParts;
import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which nodes vote, under a number. Number 1 is the list in the settings; each later one differs from the one before by
 * one voter, so that any majority of one meets any majority of the next (docs/reconfiguration.md, R5). Immutable.
 */
public final class VoterList {

    /** A node that waits to be told who votes is at this list: nobody, under the number 0. */
    public static final VoterList NONE = new VoterList(0, 0, List.of());

    /** The highest floor, so that terms are never used up; higher than any that may be forced. */
    public static final long FLOOR_MAX = 3L << 59;

    /** The longest host name, in bytes: that of DNS, without the dot at its end. */
    private static final int HOST_MAX = 253;

    /** No honest list is so far above the one before, even if lists were forced again and again. */
    private static final long LEAP_MAX = 1L << 40;

    private final long number;
    private final long floor;
    private final List<Member> members;
    private final List<NodeId> ids;
    private final long hash;

    /**
     * A voter.
     *
     * @param store   the identity of its data directory; 0 if nobody knows it, as under number 1
     * @param address where it is reached; empty if the transport finds it by itself, or the settings say that
     */
    public record Member(NodeId id, long store, Optional<HostAndPort> address) {

        /** Whether both mean the same voter: a node whose directory is new is another one (R9). */
        boolean isSame(Member other) {
            return id.equals(other.id) && (store == other.store || store == 0 || other.store == 0);
        }

        private void writeTo(WireWriter out) {
            WireParts.writeNodeId(id, out);
            out.writeLong(store);
            out.writeString(address.map(HostAndPort::host).orElse(""));
            out.writeUnsigned(address.map(HostAndPort::port).orElse(0));
        }

        private static Member read(WireReader in) throws MalformedInputException {
            NodeId id = in.readNodeId();
            long store = in.readLong();
            String host = in.readString(HOST_MAX);
            int port = in.readUnsigned(65_535);
            boolean isNone = host.isEmpty() && port == 0;
            return new Member(id, store, isNone ? Optional.empty() : Optional.of(new HostAndPort(host, port)));
        }
    }

    /**
     * A list of voters.
     *
     * @param number  0 for {@link #NONE}, 1 for that of the settings
     * @param floor   tenures that begin under this number have tokens above it (R6, R7)
     * @param members 1 to 15, each id once; their order does not matter
     */
    public VoterList(long number, long floor, List<Member> members) {
        this.number = number;
        this.floor = floor;
        this.members = members.stream().sorted(Comparator.comparing(Member::id)).toList();
        ids = this.members.stream().map(Member::id).toList();
        Check.argument(number >= 0, "number %d: must not be negative", number);
        Check.argument(floor >= 0, "floor %d: must not be negative", floor);
        Check.argument(
                number == 0 ? members.isEmpty() : isSize(members.size()),
                "voters %s: must be 1 to %d",
                ids,
                NodeSettings.VOTERS_MAX);
        Check.argument(Set.copyOf(ids).size() == ids.size(), "voters %s: each must be given once", ids);
        hash = digest();
    }

    /** As {@link #first(List, Map)}, where nobody knows addresses. */
    public static VoterList first(List<NodeId> voters) {
        return first(voters, Map.of());
    }

    /** The list of the settings: number 1. A node that is told it later learns the addresses with it. */
    public static VoterList first(List<NodeId> voters, Map<NodeId, HostAndPort> addresses) {
        return new VoterList(
                1,
                0,
                voters.stream()
                        .map(voter -> new Member(voter, 0, Optional.ofNullable(addresses.get(voter))))
                        .toList());
    }

    /** Whether there may be so many voters. */
    public static boolean isSize(int count) {
        return count >= 1 && count <= NodeSettings.VOTERS_MAX;
    }

    /** Writes the fields. */
    public void writeTo(WireWriter out) {
        out.writeUnsigned(number);
        out.writeUnsigned(floor);
        WireParts.writeList(members, Member::writeTo, out);
    }

    /**
     * Reads what {@link #writeTo} wrote.
     *
     * @throws IllegalArgumentException if there is no such list, or no such address
     */
    public static VoterList read(WireReader in) throws MalformedInputException {
        return new VoterList(
                in.readUnsigned(), in.readUnsigned(), WireParts.readList(NodeSettings.VOTERS_MAX, Member::read, in));
    }

    /** Whether terms may begin above it, so that there is room for them. */
    public static boolean isFloor(long floor) {
        return 0 <= floor && floor <= FLOOR_MAX;
    }

    /** Whether each number is one that an honest node may tell: it is told of voters, and not above all in use. */
    public boolean isInRange() {
        return 1 <= number
                && number <= WireReader.NUMBER_MAX
                && isFloor(floor)
                && members.stream().allMatch(member -> 0 <= member.store && member.store <= WireReader.NUMBER_MAX);
    }

    private long digest() {
        Fnv64 digest = new Fnv64().add(number).add(floor);
        for (Member member : members) {
            digest.add(member.id.value()).add(member.store);
        }
        return digest.value();
    }

    /** Its number. */
    public long number() {
        return number;
    }

    /** Tenures that begin under this number have tokens above it. */
    public long floor() {
        return floor;
    }

    /** The voters, by id. */
    public List<Member> members() {
        return members;
    }

    /** Their ids, in the same order. */
    public List<NodeId> ids() {
        return ids;
    }

    /** A digest of everything but the addresses. */
    public long hash() {
        return hash;
    }

    /** How many voters there are. */
    public int size() {
        return ids.size();
    }

    /** The place of a voter; -1 for a node that does not vote. */
    public int indexOf(NodeId node) {
        return ids.indexOf(node);
    }

    /** Whether this many voters are a majority of all. */
    public boolean isMajority(int count) {
        return 2 * count > ids.size();
    }

    /** The member with this id, with any store. */
    public Optional<Member> member(NodeId id) {
        int index = indexOf(id);
        return index < 0 ? Optional.empty() : Optional.of(members.get(index));
    }

    /**
     * Whether the node with this directory is a voter: with another directory, or none, it has forgotten what it
     * promised. List 1 names no directories. A voter of a later list that names none was away when the others answered.
     * It does not vote before a later list names its directory, because an emptied one could not be told from it (R9).
     *
     * @param store 0 for none
     */
    public boolean names(NodeId id, long store) {
        return member(id)
                .filter(member -> number == 1 || store != 0 && member.store == store)
                .isPresent();
    }

    /** Whether both are one decision: equal but for addresses, which differ under number 1. */
    public boolean isSameDecision(VoterList other) {
        return number == other.number
                && floor == other.floor
                && ids.equals(other.ids)
                && members.stream().allMatch(other::holds);
    }

    private boolean holds(Member wanted) {
        return member(wanted.id).filter(own -> own.store == wanted.store).isPresent();
    }

    /** Whether the other one may follow this one: the next number, no lower floor, and one voter more or less (R5). */
    public boolean mayBecome(VoterList next) {
        return next.number == number + 1 && next.floor >= floor && isSize(next.size()) && distance(next) == 1;
    }

    /** Whether so many lists cannot have been decided since this one. */
    public boolean isFarBelow(VoterList other) {
        return other.number - number > LEAP_MAX;
    }

    private int distance(VoterList next) {
        return unmatched(members, next.members) + unmatched(next.members, members);
    }

    private static int unmatched(List<Member> some, List<Member> others) {
        return (int) some.stream()
                .filter(one -> others.stream().noneMatch(one::isSame))
                .count();
    }

    /** Whether both have the same voters; number, floor and addresses do not matter. */
    public boolean hasSameVoters(VoterList other) {
        return distance(other) == 0;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof VoterList config
                        && number == config.number
                        && floor == config.floor
                        && members.equals(config.members);
    }

    @Override
    public int hashCode() {
        return Objects.hash(number, floor, members);
    }

    /** As it stands in the log: {@code number 8: [n1, n2, n4]}. */
    @Override
    public String toString() {
        return "number " + number + ": " + ids;
    }
}
