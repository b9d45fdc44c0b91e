package io.quorate.runtime;

import io.quorate.core.voters.Seat;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.TermStore.Stored;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The voter list in the data directory of a node that does not run, and the one way to replace it:
 * docs/operations.md#a-majority-is-lost. The directory is locked meanwhile. Confined to one thread.
 */
public final class StoredSeat implements AutoCloseable {

    /** A forced number is so far above the last one that no list which others may still decide has it. */
    static final long NUMBERS = 1_000_000;

    /** A forced round is so far above this voter's promise that the others, which are gone, have promised less. */
    static final long TERMS = 1L << 32;

    /** The highest floor that may be asked for: as many terms are left above it. */
    public static final long FLOOR_MAX = 1L << 60;

    private final FileTermStore store;
    private final TermFile owner;
    private final Stored stored;
    private final VoterList config;

    private StoredSeat(FileTermStore store, TermFile owner, Stored stored, VoterList config) {
        this.store = store;
        this.owner = owner;
        this.stored = stored;
        this.config = config;
    }

    /**
     * Locks and reads the directory.
     *
     * @throws IOException if it is none of a node, is in use or corrupt, or holds no list of voters; the message says
     *                     what to do
     */
    public static StoredSeat open(Path directory) throws IOException {
        TermFile owner = FileTermStore.owner(directory);
        FileTermStore store = new FileTermStore(directory, owner.self(), owner.clusterId());
        boolean isOpen = false;
        try {
            Stored stored = store.open();
            StoredSeat seat = new StoredSeat(store, owner, stored, config(directory, stored));
            isOpen = true;
            return seat;
        } finally {
            if (!isOpen) {
                store.close();
            }
        }
    }

    private static VoterList config(Path directory, Stored stored) throws IOException {
        if (!stored.voters().hasRemaining()) {
            throw new IOException(directory + ": holds no list of voters, because nobody has changed that of the"
                    + " settings. Stop all nodes, and start them with another list in the settings");
        }
        try {
            return SeatCodec.read(stored.voters()).config();
        } catch (MalformedInputException e) {
            throw new IOException(directory + ": cannot be used: " + e.getMessage(), e);
        }
    }

    /** The owner of the directory. */
    public NodeId self() {
        return owner.self();
    }

    /** Its cluster. */
    public String clusterId() {
        return owner.clusterId();
    }

    /** The newest list that the node knows. */
    public VoterList config() {
        return config;
    }

    /**
     * Makes these nodes the voters from the next start on, under a number and with tokens far above all that are known
     * here. <b>Two leaders are possible</b> if another voter of {@link #config} that is not among these ever starts
     * again.
     *
     * @param voters of the list that the directory holds, and the node of this directory
     * @param floor  0 to {@link #FLOOR_MAX}; tokens are above it
     * @return what is stored now
     * @throws IllegalArgumentException if a voter is another one, or the floor is out of range
     * @throws IOException              if it cannot be written: then nothing has changed
     */
    public VoterList force(List<NodeId> voters, long floor) throws IOException {
        Check.argument(0 <= floor && floor <= FLOOR_MAX, "floor %d: must be from 0 to %d", floor, FLOOR_MAX);
        Check.argument(
                voters.contains(self()),
                "voters %s: must name %s, whose directory this is: the others learn the list from it",
                voters,
                self());
        long above = Math.max(Math.max(floor, config.floor()), stored.termCeiling() + TERMS);
        Check.argument(above <= VoterList.FLOOR_MAX, "floor %d: must be at most %d", above, VoterList.FLOOR_MAX);
        VoterList forced = new VoterList(
                config.number() + NUMBERS,
                above,
                voters.stream().map(this::member).toList());
        store.store(new Stored(stored.termCeiling(), stored.identity(), SeatCodec.write(Seat.at(forced))));
        return forced;
    }

    private Member member(NodeId node) {
        Optional<Member> known = config.member(node);
        if (node.equals(self())) {
            return new Member(node, stored.identity(), known.flatMap(Member::address));
        }
        Check.argument(
                known.isPresent(),
                "voter '%s': is neither of %s nor the node of this directory; have it vote when these do",
                node,
                config);
        // List 1 names no directories. A voter without one would not vote, and be counted all the same.
        Check.argument(
                known.get().store() != 0,
                "voter '%s': %s does not name its data directory; have it vote when these do",
                node,
                config);
        return known.get();
    }

    @Override
    public void close() {
        store.close();
    }
}
