package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.testkit.WaitingCall;
import java.io.EOFException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The constructor, and what each call does in each state. */
abstract class LifeCycleContract extends Contract {

    private static final String STARTED_ONCE = "Cannot be started more than once";
    private static final String NOT_OPEN = "Already closed or has not been started";
    private static final int ATTEMPTS = 5;

    @Test
    void theConstructorRefusesNullsByName() {
        Client client = side.newClient();
        assertThatNullPointerException()
                .isThrownBy(() -> side.latch(null, path))
                .withMessage("client cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> side.latch(client, path, null))
                .withMessage("id cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> side.latch(client, path, "", null))
                .withMessage("closeMode cannot be null");
    }

    @Test
    void theConstructorChecksClientThenPathThenIdThenCloseMode() {
        Client client = side.newClient();
        assertThatNullPointerException()
                .isThrownBy(() -> side.latch(null, null, null, null))
                .withMessage("client cannot be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> side.latch(client, null, null, null))
                .withMessage("Path cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> side.latch(client, path, null, null))
                .withMessage("id cannot be null");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''      | Path length must be > 0",
                "a       | Path must start with / character",
                "/a/     | Path must not end with / character",
                "/a//b   | Invalid path string \"/a//b\" caused by empty node name specified @3",
                "/a/./b  | Invalid path string \"/a/./b\" caused by relative paths not allowed @3",
                "/a/../b | Invalid path string \"/a/../b\" caused by relative paths not allowed @4",
                "/a/..   | Invalid path string \"/a/..\" caused by relative paths not allowed @4"
            })
    void illegalPathsAreRefusedWithTheRule(String illegal, String message) {
        Client client = side.newClient();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> side.latch(client, illegal))
                .withMessage(message);
    }

    @Test
    void controlCharactersAreRefusedInPaths() {
        Client client = side.newClient();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> side.latch(client, "/a\u0001b"))
                .withMessage("Invalid path string \"/a\u0001b\" caused by invalid charater @2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> side.latch(client, "/a\u0000b"))
                .withMessage("Invalid path string \"/a\u0000b\" caused by null character not allowed @2");
    }

    @Test
    void theRootIsALegalPath() {
        assertThat(side.latch(side.newClient(), "/").getState()).isEqualTo(State.LATENT);
    }

    @Test
    void theConstructorDoesNotMindTheStateOfTheClient() throws Exception {
        assertThat(side.latch(side.newClient(), path).getState()).isEqualTo(State.LATENT);
        Client closed = connected();
        closed.close();
        assertThat(side.latch(closed, path).getState()).isEqualTo(State.LATENT);
    }

    @Test
    void theIdIsEmptyUnlessGiven() {
        Client client = side.newClient();
        assertThat(side.latch(client, path).getId()).isEmpty();
        assertThat(side.latch(client, path, "here").getId()).isEqualTo("here");
        assertThat(side.latch(client, path, "there", CloseMode.NOTIFY_LEADER).getId())
                .isEqualTo("there");
    }

    @Test
    void aLatchIsLatentThenStartedThenClosed() throws Exception {
        Latch latch = side.latch(connected(), path);
        assertThat(latch.getState()).isEqualTo(State.LATENT);
        latch.start();
        assertThat(latch.getState()).isEqualTo(State.STARTED);
        latch.close();
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void aLatchIsStartedOnce() throws Exception {
        Latch latch = side.latch(connected(), path);
        latch.start();
        assertThatIllegalStateException().isThrownBy(latch::start).withMessage(STARTED_ONCE);
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::start).withMessage(STARTED_ONCE);
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void aLatentLatchCannotBeClosed() throws Exception {
        Latch latch = side.latch(connected(), path);
        assertThatIllegalStateException().isThrownBy(latch::close).withMessage(NOT_OPEN);
        assertThatIllegalStateException()
                .isThrownBy(() -> latch.close(CloseMode.NOTIFY_LEADER))
                .withMessage(NOT_OPEN);
        assertThat(latch.getState()).isEqualTo(State.LATENT);
        leads(joined(connected(), latch));
    }

    @Test
    void aLatchIsClosedOnce() throws Exception {
        Latch latch = side.latch(connected(), path);
        latch.start();
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::close).withMessage(NOT_OPEN);
        assertThatIllegalStateException()
                .isThrownBy(() -> latch.close(CloseMode.SILENT))
                .withMessage(NOT_OPEN);
    }

    @Test
    void closingWithANullModeChangesNothing() throws Exception {
        Latch latch = side.latch(connected(), path);
        closingWithNullIsRefused(latch, State.LATENT);
        latch.start();
        closingWithNullIsRefused(latch, State.STARTED);
        leads(latch);
        closingWithNullIsRefused(latch, State.STARTED);
        assertThat(latch.hasLeadership()).isTrue();
        latch.close();
        closingWithNullIsRefused(latch, State.CLOSED);
    }

    private static void closingWithNullIsRefused(Latch latch, State state) {
        assertThatNullPointerException().isThrownBy(() -> latch.close(null)).withMessage("closeMode cannot be null");
        assertThat(latch.getState()).isEqualTo(state);
    }

    @Test
    void nobodyWaitsInALatchThatIsNotOpen() throws Exception {
        Latch latch = side.latch(connected(), path);
        nobodyWaits(latch);
        latch.start();
        leads(latch);
        latch.close();
        nobodyWaits(latch);
    }

    private static void nobodyWaits(Latch latch) throws Exception {
        assertThatThrownBy(latch::await).isExactlyInstanceOf(EOFException.class).hasMessage(null);
        assertThat(latch.await(1, TimeUnit.HOURS)).isFalse();
        assertThat(latch.hasLeadership()).isFalse();
    }

    @Test
    void viewsWorkInEveryState() throws Exception {
        Client client = connected();
        Latch leader = leading(client, "leader");
        Latch latch = side.latch(client, path, "viewer");
        assertThat(leader(latch).getId()).isEqualTo("leader");
        latch.start();
        side.eventually("both contend", () -> ids(latch).equals(List.of("leader", "viewer")));
        latch.close();
        side.eventually("one contends", () -> ids(latch).equals(List.of("leader")));
        assertThat(leader(latch).getId()).isEqualTo(leader.getId());
    }

    @Test
    void aLatchMayBeStartedBeforeItsClient() throws Exception {
        Client client = side.newClient();
        Latch latch = side.latch(client, path);
        latch.start();
        assertThat(latch.getState()).isEqualTo(State.STARTED);
        side.pass(A_WHILE);
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.getOurPath()).isNull();
        client.start();
        leads(latch);
    }

    // In Curator it waits for ever.
    @Test
    void onAClosedClientALatchStartsAndNeverJoins() throws Exception {
        Client client = connected();
        client.close();
        Latch latch = side.latch(client, path);
        latch.start();
        assertThat(latch.getState()).isEqualTo(side.isCurator() ? State.STARTED : State.CLOSED);
        WaitingCall<Boolean> waiting = side.waiting(() -> {
            latch.await();
            return true;
        });
        if (side.isCurator()) {
            side.pass(A_WHILE);
            assertThat(waiting.isDone()).isFalse();
        }
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::close).withMessage(NOT_OPEN);
        side.eventually("it returns", waiting::isDone);
        assertThatThrownBy(waiting::answer).isExactlyInstanceOf(EOFException.class);
        side.pass(A_WHILE);
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(participants(side.latch(connected(), path))).isEmpty();
    }

    @Test
    void closingCancelsTheJoiningThatWaitsForTheClient() throws Exception {
        Client client = side.newClient();
        List<Boolean> cancelled = new CopyOnWriteArrayList<>();
        Latch latch = side.subclassed(client, path, state -> {}, cancelled::add);
        latch.start();
        latch.close();
        assertThat(cancelled).containsExactly(true);
        client.start();
        assertThat(client.blockUntilConnected(Real.DEADLINE)).isTrue();
        side.pass(A_WHILE);
        assertThat(participants(side.latch(client, path))).isEmpty();
    }

    @Test
    void closingCancelsTheJoiningThatWaitsForTheConnection() throws Exception {
        Client client = side.newClient();
        side.cut(client);
        client.start();
        List<Boolean> cancelled = new CopyOnWriteArrayList<>();
        Latch latch = side.subclassed(client, path, state -> {}, cancelled::add);
        latch.start();
        side.pass(A_WHILE);
        latch.close();
        assertThat(cancelled).containsExactly(true);
        side.heal(client);
        assertThat(client.blockUntilConnected(Real.DEADLINE)).isTrue();
        side.pass(A_WHILE);
        assertThat(participants(side.latch(client, path))).isEmpty();
    }

    @Test
    void aSubclassSeesItsLatchClosed() throws Exception {
        boolean isCancelled = closingALeaderCancels();
        // Curator's start() may note the task that joins after this has ended, and then takes it for waiting for ever.
        for (int attempt = 1; side.isCurator() && isCancelled && attempt < ATTEMPTS; attempt++) {
            isCancelled = closingALeaderCancels();
        }
        assertThat(isCancelled).isFalse();
    }

    private boolean closingALeaderCancels() throws Exception {
        List<Boolean> cancelled = new CopyOnWriteArrayList<>();
        Latch latch = side.subclassed(connected(), path, state -> {}, cancelled::add);
        latch.start();
        leads(latch);
        // Curator's latch may lead while the task that has joined is still about to end.
        side.pass(A_WHILE);
        latch.close();
        assertThat(cancelled).hasSize(1);
        return cancelled.get(0);
    }

    @Test
    void aNewLatchTakesThePlaceOfAClosedOne() throws Exception {
        Client client = connected();
        leading(client, "first").close();
        leading(client, "second");
    }

    @Test
    void aClientIsStartedOnceAndMayBeClosedTwice() throws Exception {
        Client client = connected();
        assertThatIllegalStateException().isThrownBy(client::start).withMessage(STARTED_ONCE);
        client.close();
        assertThatIllegalStateException().isThrownBy(client::start).withMessage(STARTED_ONCE);
        client.close();
    }
}
