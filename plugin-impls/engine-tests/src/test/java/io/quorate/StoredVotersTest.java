package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.runtime.FileTermStore;
import io.quorate.runtime.PaxosStateCodec;
import io.quorate.runtime.Shown;
import io.quorate.runtime.StoredVoters;
import io.quorate.runtime.TermStore.Stored;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/operations.md#a-majority-is-lost: what may be forced on the directory of n4, which knows list 8. */
class StoredVotersTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId N4 = new NodeId("n4");
    private static final long CEILING = 1 << 20;
    private static final long IDENTITY = 74;

    /** n3 was away when the first change named the directories of the others. */
    private static final VoterList LIST =
            new VoterList(8, 7, List.of(member(N1, 71), member(N3, 0), member(N4, IDENTITY)));

    @TempDir
    private Path directory;

    private static Member member(NodeId id, long store) {
        return new Member(id, store, Optional.empty());
    }

    private void store(ByteBuffer voters) throws IOException {
        try (FileTermStore store = new FileTermStore(directory, N4, "test")) {
            store.open();
            store.store(new Stored(CEILING, IDENTITY, voters));
        }
    }

    private VoterList force(long floor, NodeId... voters) throws IOException {
        store(PaxosStateCodec.write(PaxosState.at(LIST)));
        Voters forced;
        try (StoredVoters stored = StoredVoters.open(directory)) {
            forced = stored.force(floor, Stream.of(voters).map(NodeId::value).toList());
        }
        try (FileTermStore store = new FileTermStore(directory, N4, "test")) {
            VoterList list = PaxosStateCodec.read(store.open().voters()).config();
            assertThat(Shown.voters(list)).isEqualTo(forced);
            return list;
        } catch (MalformedInputException e) {
            throw new IOException(e);
        }
    }

    @Test
    void theForcedListIsFarAboveAllThatIsKnownHere() throws IOException {
        VoterList forced = force(0, N4, N1);
        assertThat(forced.number()).isEqualTo(1_000_008);
        assertThat(forced.floor()).isEqualTo(CEILING + (1L << 32));
        assertThat(forced.members()).containsExactly(member(N1, 71), member(N4, IDENTITY));
        try (StoredVoters stored = StoredVoters.open(directory)) {
            assertThat(stored.voters()).isEqualTo(Shown.voters(forced));
        }
    }

    private Path storeOf(NodeId node, String cluster, VoterList list) throws IOException {
        Path other = directory.resolve(node + "-" + cluster);
        Files.createDirectory(other);
        try (FileTermStore store = new FileTermStore(other, node, cluster)) {
            store.open();
            store.store(new Stored(1, 75, PaxosStateCodec.write(PaxosState.at(list))));
        }
        return other;
    }

    @Test
    void anAdoptedListLeavesTheIdentityAndTheTermsOfTheDirectory() throws Exception {
        Round round = new Round(3, N1, 4711);
        store(PaxosStateCodec.write(PaxosState.at(LIST).promise(9, round)));
        VoterList later = new VoterList(12, 90, List.of(member(N1, 72), member(N4, IDENTITY)));
        try (StoredVoters stored = StoredVoters.open(directory);
                StoredVoters other = StoredVoters.open(storeOf(N1, "test", later));
                StoredVoters same = StoredVoters.open(storeOf(N3, "test", LIST));
                StoredVoters stranger = StoredVoters.open(storeOf(N1, "shop", later))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stored.adopt(same))
                    .withMessage("number 8: must be above 8, of which the directory that adopts it knows the list");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stored.adopt(stranger))
                    .withMessageContaining("cluster 'shop': must be 'test'");
            assertThat(stored.adopt(other)).isEqualTo(Shown.voters(later));
        }
        try (FileTermStore store = new FileTermStore(directory, N4, "test")) {
            Stored now = store.open();
            assertThat(now.termCeiling()).isEqualTo(CEILING);
            assertThat(now.identity()).isEqualTo(IDENTITY);
            assertThat(PaxosStateCodec.read(now.voters()))
                    .as("no promise of a decided number")
                    .isEqualTo(PaxosState.at(later));
        }
    }

    @Test
    void tokensGoOnAboveTheFloorThatIsGiven() throws IOException {
        assertThat(force(1L << 60, N4).floor()).isEqualTo(1L << 60);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> force((1L << 60) + 1, N4))
                .withMessage("floor 1152921504606846977: must be from 0 to 1152921504606846976");
    }

    @Test
    void theNodeOfTheDirectoryVotes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> force(0, N1))
                .withMessage("voters [n1]: must name n4, whose directory this is: the others learn the list from it");
    }

    @Test
    void nobodyElseComesToVote() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> force(0, N4, new NodeId("n9")))
                .withMessage("voter 'n9': is neither of number 8: [n1, n3, n4] nor the node of this directory; have it"
                        + " vote when these do");
    }

    // It would be counted, and would not vote.
    @Test
    void voterWithAnUnlistedDirectoryCannotBeForced() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> force(0, N4, N3))
                .withMessage("voter 'n3': number 8: [n1, n3, n4] does not name its data directory; have it vote when"
                        + " these do");
    }

    @Test
    void withoutAListNothingIsForced() throws IOException {
        store(ByteBuffer.allocate(0));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> StoredVoters.open(directory))
                .withMessageEndingWith("has no list of voters, because the list of the settings was never changed. Stop"
                        + " all nodes, and start them with another list in the settings");
    }
}
