package io.quorate.core.directory;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Item.Complete;
import io.quorate.core.message.DirectoryMessage.Item.Listed;
import io.quorate.core.message.DirectoryMessage.Item.Unlisted;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the voters list on one path. */
class VoterListingsTest {

    private static final String PATH = "/app/leader";

    private final VoterListings.Beginnings beginnings = new VoterListings.Beginnings(Contexts.of(N1));
    private final VoterListings listings = new VoterListings(beginnings);

    private static ContenderRecord inVersion(long version) {
        return new ContenderRecord(new ContenderId(N2, 1, 1), "n2", 1, 0, 0, version);
    }

    private void listedByAll(long version) {
        for (int voter = 0; voter < 3; voter++) {
            listings.apply(voter, new Listed(PATH, inVersion(version)));
            listings.apply(voter, new Complete(PATH, 0));
        }
    }

    @Test
    void theNewestVersionCountsWhoeverHasIt() {
        for (int voter = 0; voter < 3; voter++) {
            listedByAll(4);
            listings.apply(voter, new Listed(PATH, inVersion(5)));
            assertThat(listings.contenders()).as("voter %d has it", voter).containsExactly(inVersion(5));
        }
    }

    @Test
    void whomFewerThanHalfListDoesNotCount() {
        listedByAll(4);
        listings.apply(0, new Unlisted(PATH, inVersion(4).id()));
        assertThat(listings.contenders()).hasSize(1);
        listings.apply(1, new Unlisted(PATH, inVersion(4).id()));
        assertThat(listings.contenders()).isEmpty();
    }

    @Test
    void departedContenderIsOnNoList() {
        listedByAll(4);
        assertThat(listings.withdraw(inVersion(4))).isTrue();
        assertThat(listings.contenders()).isEmpty();
        assertThat(listings.withdraw(inVersion(4))).as("again").isFalse();
    }

    // With thousands of paths each finds out when it is asked.
    @Test
    void listingOfAFormerSessionIsVoid() {
        listedByAll(4);
        assertThat(listings.heed()).as("nobody has begun anew").isFalse();
        beginnings.add(1);
        beginnings.add(2);
        assertThat(listings.heed()).isTrue();
        assertThat(List.of(listings.isComplete(0), listings.isComplete(1), listings.isComplete(2)))
                .containsExactly(true, false, false);
        listings.apply(1, new Listed(PATH, inVersion(5)));
        listings.apply(1, new Complete(PATH, 0));
        assertThat(listings.heed()).as("once").isFalse();
        beginnings.add(2);
        assertThat(listings.heed()).isTrue();
        assertThat(listings.isListedBy(1, inVersion(5).id(), 5))
                .as("told since")
                .isTrue();
        assertThat(new VoterListings(beginnings).heed())
                .as("a path that is new")
                .isFalse();
    }

    // That it left came late: another voter has listed it again by then.
    @Test
    void returnedContenderStays() {
        listedByAll(5);
        assertThat(listings.withdraw(inVersion(4))).isFalse();
        assertThat(listings.contenders()).containsExactly(inVersion(5));
    }

    private static ContenderRecord withToken(long token) {
        return new ContenderRecord(new ContenderId(N2, 1, 1), "n2", 1, 0, token, 1);
    }

    @Test
    void theHighestTokenIsThatOfAnyList() {
        listings.apply(0, new Listed(PATH, withToken(7)));
        listings.apply(1, new Listed(PATH, withToken(6)));
        assertThat(listings.tokenMax()).isEqualTo(7);
    }

    @Test
    void halfOfTheVotersThatHaveToldAllIsEnough() {
        listings.apply(0, new Listed(PATH, inVersion(1)));
        listings.apply(0, new Complete(PATH, 0));
        listings.apply(1, new Complete(PATH, 0));
        assertThat(listings.contenders()).containsExactly(inVersion(1));
    }

    // If this node is cut off, the list of its own voter proves nothing.
    @Test
    void aPathIsKnownFromAnotherVoterUnlessThereIsOne() {
        listings.apply(0, new Complete(PATH, 0));
        assertThat(listings.isKnown()).isFalse();
        listings.apply(1, new Complete(PATH, 0));
        assertThat(listings.isKnown()).isTrue();
        VoterListings sole = new VoterListings(new VoterListings.Beginnings(Contexts.of(N1, List.of(N1))));
        sole.apply(0, new Complete(PATH, 0));
        assertThat(sole.isKnown()).isTrue();
    }

    @Test
    void equalListsAreKeptOnce() {
        listedByAll(4);
        RankedContenders own =
                RankedContenders.EMPTY.with(inVersion(4), Contexts.of(N1).ranking());
        listings.share(own);
        assertThat(listings.contenders()).isSameAs(own);
    }
}
