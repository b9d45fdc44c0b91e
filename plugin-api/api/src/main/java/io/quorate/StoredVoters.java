package io.quorate;

import io.quorate.core.voters.VoterList;
import io.quorate.runtime.StoredSeat;
import io.quorate.spi.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Who votes, as the data directory of a node that does not run has stored it. The command {@code quorate voters force}
 * needs it, and no application does: docs/operations.md#a-majority-is-lost. The directory is locked until this is
 * closed. For one thread.
 */
public final class StoredVoters implements AutoCloseable {

    private final StoredSeat seat;

    private StoredVoters(StoredSeat seat) {
        this.seat = seat;
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
        return new StoredVoters(StoredSeat.open(directory));
    }

    /** {@return the id of the node whose directory this is} */
    public String nodeId() {
        return seat.self().value();
    }

    /** {@return the id of its cluster} */
    public String clusterId() {
        return seat.clusterId();
    }

    /** {@return the newest list of voters that the node knows} */
    public Voters voters() {
        return Voters.of(seat.config());
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
        VoterList forced = seat.force(voters.stream().map(NodeId::new).toList(), floor);
        return Voters.of(forced);
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
        seat.close();
    }
}
