package io.quorate.core.directory;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Change.Leave;
import io.quorate.core.message.DirectoryMessage.Change.Watch;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What n3 tells the voters n1 and n2 of its contenders. Both have supported it since 0; belief lasts 900. */
class DirectoryClientTest {

    private static final String PATH = "/app/leader";
    private static final Epoch EPOCH = new Epoch(5, 1);

    private final StepContext context = Contexts.of(N3);
    private final SupportHeld supportHeld = new SupportHeld(context);
    private final Heartbeats heartbeats =
            new Heartbeats(context, supportHeld, new NodeLiveness(context, node -> {}), true, () -> {});
    private final Set<Long> contending = new TreeSet<>();
    private boolean isListening;
    private int nameLength = 2;
    private final DirectoryClient client = new DirectoryClient(context, new Own(), supportHeld);
    private long sequence;

    private final class Own implements OwnRegistrations {

        @Override
        public Optional<ContenderRecord> registration(long number) {
            return Optional.of(recordOf(number)).filter(is -> contending.contains(number));
        }

        @Override
        public boolean isGone(long number) {
            return !contending.contains(number);
        }

        @Override
        public int nameLength(long number) {
            return nameLength;
        }

        @Override
        public boolean isHere(String path) {
            return isListening || !contending.isEmpty();
        }

        @Override
        public boolean isListening(String path) {
            return isListening;
        }

        @Override
        public boolean hasListing(String path, int voter) {
            return true;
        }
    }

    private static ContenderRecord recordOf(long number) {
        return new ContenderRecord(new ContenderId(N3, 1, number), "n3", 0, 0, 0, 1);
    }

    private static Join join(long number) {
        return new Join(PATH, recordOf(number), false);
    }

    private static Leave leave(long number) {
        return new Leave(PATH, number, true, false);
    }

    @BeforeEach
    void bothSupport() {
        supported(0);
        supported(1);
    }

    private void supported(int voter) {
        heartbeats.send(true, false, 0);
        supportHeld.onAck(voter, ++sequence, EPOCH);
        client.onEpoch(voter, EPOCH);
    }

    private void contend(long number) {
        contending.add(number);
        client.joined(PATH, number);
    }

    private void end(long number) {
        contending.remove(number);
        client.left(PATH, number);
    }

    private void watch(boolean isWanted, boolean isNew) {
        isListening = isWanted;
        client.watchChanged(PATH, isNew);
    }

    /** What n2 is told; both have it then. */
    private List<Change> told() {
        context.takeEffects();
        client.flush();
        List<Change> changes = new ArrayList<>();
        for (NodeEffect effect : context.takeEffects()) {
            if (effect instanceof NodeEffect.Send send && send.message() instanceof Registrations registrations) {
                client.onAck(send.to(), registrations.batch());
                changes.addAll(send.to().equals(N2) ? registrations.changes() : List.of());
            }
        }
        return changes;
    }

    // Otherwise it would be owed a message about all that has come and gone meanwhile.
    @Test
    void aVoterThatDoesNotAnswerIsOwedOnlyWhatItKnows() {
        contend(1);
        assertThat(told()).containsExactly(join(1));
        context.setNow(900);
        contend(2);
        end(2);
        end(1);
        assertThat(told()).isEmpty();
        supported(1);
        assertThat(told()).containsExactly(leave(1));
        contend(3);
        end(3);
        assertThat(told())
                .as("now it may have voted before it hears of the end")
                .containsExactly(leave(3));
    }

    @Test
    void watchingIsToldWhenItBeginsAndEndsAndForgottenIfNobodyKnewOfIt() {
        watch(true, true);
        assertThat(told()).containsExactly(new Watch(PATH, true, false));
        watch(false, false);
        assertThat(told()).containsExactly(new Watch(PATH, false, false));
        watch(true, true);
        watch(false, false);
        assertThat(told()).isEmpty();
        watch(true, true);
        watch(true, false);
        contend(1);
        end(1);
        assertThat(told()).as("it goes on").contains(new Watch(PATH, true, false));
        watch(false, false);
        told();
        watch(true, true);
        isListening = false;
        end(1);
        assertThat(told()).as("it ends with the contender").containsExactly(leave(1));
    }

    @Test
    void aBatchOfLongNamesHasFew() {
        nameLength = 3_000;
        for (int number = 1; number <= 10; number++) {
            contend(number);
        }
        assertThat(told()).as("more than 9 kB each, of 24").hasSize(3);
        told();
        assertThat(context.timers().size()).as("one for each voter").isEqualTo(2);
    }

    @Test
    void listingsCountInTheirEpochAndOnce() {
        assertThat(client.onEpoch(1, EPOCH)).as("the same").isFalse();
        assertThat(client.isCurrent(1, EPOCH)).isTrue();
        assertThat(client.isCurrent(1, new Epoch(5, 2))).isFalse();
        assertThat(client.acceptListing(1, 5)).isTrue();
        assertThat(client.acceptListing(1, 5)).as("a copy").isFalse();
        assertThat(client.acceptListing(1, 4)).as("a late one").isFalse();
        assertThat(client.acceptListing(1, 6)).isTrue();
    }

    @Test
    void aRefusalIsNotedAndKeptUntilTheVoterSupportsOrLeaves() {
        List<NodeId> voters = List.of(N1, N2, N3);
        voters.forEach(voter -> client.onNoSupport(voter, "full"));
        assertThat(context.takeEffects())
                .contains(new NodeEffect.Note(true, "voter n2 does not support this node: full"));
        client.onEpoch(1, EPOCH);
        assertThat(client.describe()).isEqualTo(", refused by n1: full, refused by n3: full");
        context.setVoters(new VoterList(2, 0, context.voters().members().subList(0, 2)), 0);
        assertThat(client.describe()).isEqualTo(", refused by n1: full");
    }

    @Test
    void aRefusalMovesWithItsVoterAndIsForgottenWhileTheVoterIsAway() {
        List<VoterList.Member> three = context.voters().members();
        client.onNoSupport(N2, "full");
        context.setVoters(new VoterList(2, 0, three.subList(1, 3)), 0);
        assertThat(client.describe()).isEqualTo(", refused by n2: full");
        context.setVoters(new VoterList(3, 0, three.subList(2, 3)), 0);
        context.setVoters(new VoterList(4, 0, three.subList(1, 3)), 0);
        assertThat(client.describe()).isEmpty();
    }

    @Test
    void aVoterThatWasFullIsAskedAgainOncePerSupportTime() {
        context.setNow(50);
        client.onFull(N2, "100 paths");
        assertThat(context.takeEffects())
                .contains(new NodeEffect.Note(
                        true, "voter n2 does not list all contenders and paths of this node: 100 paths"));
        context.setNow(1149);
        assertThat(client.takeFull()).isEmpty();
        assertThat(client.full(1)).contains("100 paths");
        context.setNow(1150);
        assertThat(client.takeFull()).containsExactly(1);
        assertThat(client.takeFull()).isEmpty();
    }
}
