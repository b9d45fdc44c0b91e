package io.quorate.runtime;

import io.quorate.ElectionSettings;
import io.quorate.Voters;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.runtime.TermStore.Stored;
import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The list of voters in the data directory of a stopped node. Only the commands {@code quorate voters force} and {@code
 * quorate voters adopt} need it: docs/operations.md#a-majority-is-lost. The directory is locked until this is closed.
 * For one thread.
 */
public final class StoredVoters implements AutoCloseable {

    /** A forced number is so far above the last one that no list which others may still decide has it. */
    private static final long NUMBERS = 1_000_000;

    /** A forced round is so far above this voter's promise that the others, which are gone, have promised less. */
    private static final long TERMS = 1L << 32;

    /** The highest floor that may be asked for: as many terms are left above it. */
    private static final long FLOOR_MAX = 1L << 60;

    private final FileTermStore store;
    private final FileTermStore.Owner owner;
    private final Stored stored;
    private final PaxosState paxos;
    private final VoterList config;

    private StoredVoters(FileTermStore store, FileTermStore.Owner owner, Stored stored, PaxosState paxos) {
        this.store = store;
        this.owner = owner;
        this.stored = stored;
        this.paxos = paxos;
        this.config = paxos.config();
    }

    /**
     * Locks and reads a directory.
     *
     * @param directory the {@linkplain ElectionSettings#dataDirectory data directory} of a node
     * @return what it holds, to be closed
     * @throws IOException if it is none of a node, is in use or corrupt, or holds no list of voters because nobody has
     *                     changed that of the settings; the message says what to do
     */
    public static StoredVoters open(Path directory) throws IOException {
        FileTermStore.Owner owner = FileTermStore.owner(directory);
        FileTermStore store = new FileTermStore(directory, owner.self(), owner.clusterId());
        boolean isOpen = false;
        try {
            Stored stored = store.open();
            StoredVoters voters = new StoredVoters(store, owner, stored, paxos(directory, stored));
            isOpen = true;
            return voters;
        } finally {
            if (!isOpen) {
                store.close();
            }
        }
    }

    private static PaxosState paxos(Path directory, Stored stored) throws IOException {
        if (!stored.voters().hasRemaining()) {
            throw new IOException(directory + ": has no list of voters, because the list of the settings was never"
                    + " changed. Stop all nodes, and start them with another list in the settings");
        }
        try {
            return PaxosStateCodec.read(stored.voters());
        } catch (MalformedInputException e) {
            throw new IOException(directory + ": cannot be used: " + e.getMessage(), e);
        }
    }

    /** {@return the id of the node whose directory this is} */
    public String nodeId() {
        return owner.self().value();
    }

    /** {@return the id of its cluster} */
    public String clusterId() {
        return owner.clusterId();
    }

    /** {@return the newest list of voters that the node knows} */
    public Voters voters() {
        return Shown.voters(config);
    }

    /**
     * Has these vote from the next start of the node on, without asking anybody. The number of the list is 1,000,000
     * above the last one, and tokens continue at least 2^32 above those that this node may have voted for.
     *
     * <p><b>Two leaders are possible</b> if a voter of {@link #voters} that is not among these ever starts again with
     * its directory.
     *
     * @param floor  0 to 2^60: tokens are above it; not below any token that a resource has seen
     * @param voters 1 to 15 ids: the node of this directory, and voters of the present list whose data directories it
     *               names; number 1 names none
     * @return the list that is stored now
     * @throws IllegalArgumentException if the floor or a voter is none of these
     * @throws IOException              if it cannot be written: then nothing has changed
     */
    public Voters force(long floor, List<String> voters) throws IOException {
        List<NodeId> nodes = voters.stream().map(NodeId::new).toList();
        Check.argument(0 <= floor && floor <= FLOOR_MAX, "floor %d: must be from 0 to %d", floor, FLOOR_MAX);
        Check.argument(
                nodes.contains(owner.self()),
                "voters %s: must name %s, whose directory this is: the others learn the list from it",
                nodes,
                owner.self());
        long above = Math.max(Math.max(floor, config.floor()), stored.termCeiling() + TERMS);
        Check.argument(above <= VoterList.FLOOR_MAX, "floor %d: must be at most %d", above, VoterList.FLOOR_MAX);
        VoterList forced = new VoterList(
                config.number() + NUMBERS,
                above,
                nodes.stream().map(this::member).toList());
        return write(PaxosState.at(forced));
    }

    /**
     * Has the node go by the list of another directory from its next start on, because all voters that it knows were
     * replaced while it was away. Whether it votes there, and the tokens and terms that it has promised, stay as they
     * are.
     *
     * @param later the directory of a node that knows the list, or a copy of it
     * @return the list that is stored now
     * @throws IllegalArgumentException if that directory is of another cluster, or its list is no later one
     * @throws IOException              if it cannot be written: then nothing has changed
     */
    public Voters adopt(StoredVoters later) throws IOException {
        Check.argument(
                clusterId().equals(later.clusterId()),
                "cluster '%s': must be '%s', as in the directory that adopts its list",
                later.clusterId(),
                clusterId());
        Check.argument(
                later.config.number() > config.number(),
                "number %d: must be above %d, of which the directory that adopts it knows the list",
                later.config.number(),
                config.number());
        return write(paxos.learn(later.config));
    }

    private Voters write(PaxosState next) throws IOException {
        store.store(new Stored(stored.termCeiling(), stored.identity(), PaxosStateCodec.write(next)));
        return Shown.voters(next.config());
    }

    private Member member(NodeId node) {
        Optional<Member> known = config.member(node);
        if (node.equals(owner.self())) {
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

    /**
     * Tells which voters of the present list must never start again if these are {@linkplain #force forced}.
     *
     * @param voters as for {@link #force}
     * @return their ids, sorted
     */
    public List<String> leftOut(List<String> voters) {
        return voters().ids().stream().filter(id -> !voters.contains(id)).toList();
    }

    /** Gives up the lock. A second call has no effect. */
    @Override
    public void close() {
        store.close();
    }
}
