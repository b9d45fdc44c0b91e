package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.directory.VoterListings;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.path.ContenderState.Out;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.Blockade;
import io.quorate.core.voters.VoterPlaces;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContendedPathTest {

    private static final String PATH = "/app/leader";

    private final StepContext context = Contexts.of(N1);
    private final VoterListings.Beginnings beginnings = new VoterListings.Beginnings(context);
    private final ContendedPath contended = new ContendedPath(context, beginnings, PATH);

    private LocalContender joining(int number) {
        LocalContender contender = new LocalContender(PATH, number, "p" + number, 0, 3);
        contended.add(contender);
        return contender;
    }

    private LocalContender placed(int number, long place) {
        LocalContender contender = joining(number);
        contender.onPlace(context, place);
        return contender;
    }

    @Test
    void theBestInTheQueueStandsForTheNode() {
        joining(1);
        assertThat(contended.bestOwn()).isEmpty();
        LocalContender second = placed(2, 3);
        assertThat(contended.bestOwn()).contains(second);
        LocalContender first = placed(3, 2);
        assertThat(contended.bestOwn()).contains(first);
        placed(4, 5);
        assertThat(contended.bestOwn()).contains(first);
    }

    @Test
    void isFoundByItsNumber() {
        placed(1, 1);
        LocalContender two = placed(2, 2);
        assertThat(contended.own(2)).contains(two);
        assertThat(contended.own(3)).isEmpty();
    }

    private static ContenderRecord other(long token, long version) {
        return new ContenderRecord(new ContenderId(N2, 1, 1), "other", 1, 0, token, version);
    }

    private void tells(int voter, long term, ContenderRecord... listed) {
        contended.onItem(voter, new Item.Snapshot(PATH, term, true, List.of(listed)));
    }

    @Test
    void listsOfAFormerSessionAreVoid() {
        tells(2, 0, other(0, 1));
        assertThat(contended.hasListing(2)).isTrue();
        assertThat(contended.ranked()).hasSize(1);
        beginnings.add(2);
        assertThat(contended.ranked()).isEmpty();
        assertThat(contended.hasListing(2)).isFalse();
    }

    @Test
    void departedContenderIsGoneImmediatelyAndReportedOnce() {
        tells(2, 0, other(0, 5));
        assertThat(contended.onLeft(other(0, 4))).as("it has come back since").isFalse();
        assertThat(contended.ranked()).hasSize(1);
        assertThat(contended.onLeft(other(0, 5))).isTrue();
        assertThat(contended.ranked()).isEmpty();
        assertThat(contended.onLeft(other(0, 5))).isFalse();
    }

    @Test
    void aTermIsSeenFromListsAndATokenFromLeaders() {
        tells(1, 9);
        tells(2, 0, other(5, 1));
        assertThat(contended.termSeen()).isEqualTo(9);
        assertThat(contended.isAboveTokens(5)).isFalse();
        assertThat(contended.isAboveTokens(6)).isTrue();
    }

    @Test
    void theListsAreCountedAnewOnceAfterAChangeOfTheVoters() {
        assertThat(contended.takeRecount()).isFalse();
        contended.onVoters(new VoterPlaces(context.voters(), context.voters()));
        assertThat(contended.takeRecount()).isTrue();
        assertThat(contended.takeRecount()).isFalse();
    }

    // Registered contenders are told of the path anyway.
    @Test
    void thisNodeListensForWatchersAndForContendersThatAreOut() {
        LocalContender leader = placed(1, 1);
        placed(2, 2);
        assertThat(contended.isListening()).isFalse();
        contended.isWatched = true;
        assertThat(contended.isListening()).isTrue();
        contended.isWatched = false;
        leader.beginClaim(context, new Claiming("test", new Blockade(context, new SupportHeld(context)), false, 0), 1);
        assertThat(contended.isAnyClaiming()).isTrue();
        assertThat(contended.isAnyLeading()).isFalse();
        leader.lead(context, new Lease(new Epoch[3], 1_000));
        assertThat(contended.isAnyClaiming()).isFalse();
        assertThat(contended.isAnyLeading()).isTrue();
        leader.stop(context, new Out("test"));
        assertThat(contended.isListening()).isTrue();
    }

    @Test
    void theNextEvaluationIsTheEarliestThatWasAskedFor() {
        contended.wakeAt(100);
        contended.wakeAt(50);
        contended.wakeAt(70);
        assertThat(context.timers().size()).isEqualTo(1);
        assertThat(context.timers().next(1_000)).isEqualTo(50);
        contended.sleep();
        assertThat(context.timers().size()).isZero();
        contended.wakeAt(200);
        context.timers().run(200);
        assertThat(context.agenda().isEmpty()).isFalse();
    }
}
