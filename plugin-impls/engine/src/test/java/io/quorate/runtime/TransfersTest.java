package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.PathView;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whoever waits for a transfer learns how it ends, and nothing is kept of it then. */
class TransfersTest {

    private static final String PATH = "/p";

    private final List<NodeEvent> asked = new ArrayList<>();
    private final Transfers transfers =
            new Transfers(new Turns(new InlineMailbox(), asked::add, path -> Optional.empty(), Optional::empty));

    private CompletableFuture<Void> request(int number) {
        return transfers.request(number, PATH, "b").toCompletableFuture();
    }

    private void begin(int number, ContenderId successor) {
        transfers.onBegun(new NodeEffect.TransferBegun(number, successor, 3));
    }

    private static void assertFails(CompletableFuture<Void> transfer, String reason) {
        assertThat(transfer)
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining(reason);
    }

    @Test
    void aContenderThatLeavesTakesItsTransfersWithIt() {
        CompletableFuture<Void> begun = request(1);
        begin(1, SUCCESSOR);
        CompletableFuture<Void> another = request(2);
        transfers.onLeft(1);
        assertFails(begun, "was closed before");
        assertThat(another).isNotDone();
        transfers.onLeft(2);
        assertThat(transfers.isEmpty()).isTrue();
    }

    @Test
    void aRefusedTransferIsNotKept() {
        CompletableFuture<Void> refused = request(1);
        transfers.onRefused(1, Optional.empty(), new IllegalStateException("refused by the test"));
        assertFails(refused, "refused by the test");
        assertThat(transfers.isEmpty()).isTrue();
    }

    private static final ContenderId SUCCESSOR = new ContenderId(new NodeId("n2"), 1, 7);

    /** The contender leads, and another one queues. */
    private static PathView led(String node, long number) {
        return led(node, number, 3);
    }

    private static PathView led(String node, long number, long token) {
        return new PathView(
                List.of(
                        new PathView.Entry(new NodeId(node), number, "b", true, 1),
                        new PathView.Entry(new NodeId("n2"), 7, "b", false, 1)),
                OptionalLong.of(token));
    }

    @Test
    void aTransferIsCompleteWhenTheSuccessorThatTheNodeNamedLeadsThatPath() {
        CompletableFuture<Void> transfer = request(1);
        assertThat(transfers.isEmpty()).isFalse();
        assertThat(asked).containsExactly(new NodeEvent.TransferTo(1, "b"));
        transfers.onChanged(PATH, led("n2", 7));
        assertThat(transfer).as("the node has not agreed yet").isNotDone();
        begin(1, SUCCESSOR);
        transfers.onChanged("/other", led("n2", 7));
        transfers.onChanged(PATH, led("n2", 8));
        transfers.onChanged(PATH, led("n3", 7));
        transfers.onChanged(PATH, PathView.EMPTY);
        assertThat(transfer).isNotDone();
        transfers.onChanged(PATH, led("n2", 7));
        assertThat(transfer).isCompleted();
        assertThat(transfers.isEmpty()).isTrue();
    }

    @Test
    void eachTransferIsCompleteByItself() {
        CompletableFuture<Void> one = request(1);
        begin(1, SUCCESSOR);
        CompletableFuture<Void> other = request(2);
        begin(2, new ContenderId(new NodeId("n3"), 1, 7));
        transfers.onChanged(PATH, led("n2", 7));
        assertThat(one).isCompleted();
        assertThat(other).isNotDone();
        transfers.onChanged(PATH, led("n3", 7));
        assertThat(other).isCompleted();
    }

    @Test
    void aTransferFailsWhenAnotherContenderComesToLeadInPlaceOfTheSuccessor() {
        CompletableFuture<Void> transfer = request(1);
        begin(1, SUCCESSOR);
        transfers.onChanged("/other", led("n1", 1, 4));
        // This is the one that transfers, while its work goes on.
        transfers.onChanged(PATH, led("n1", 1, 3));
        assertThat(transfer).isNotDone();
        transfers.onChanged(PATH, led("n1", 1, 4));
        assertFails(transfer, "/p was being transferred, and 'b' of n1 leads instead, with token 4");
        assertThat(transfers.isEmpty()).isTrue();
    }

    @Test
    void aCallerThatHearsOfTheEndCanAskForAnotherTransfer() {
        CompletableFuture<Void> transfer = request(1);
        begin(1, SUCCESSOR);
        CompletableFuture<CompletableFuture<Void>> next = transfer.thenApply(nothing -> request(1));
        transfers.onChanged(PATH, led("n2", 7));
        assertThat(next).isCompleted();
        assertThat(next.join()).isNotDone();
        assertThat(transfers.isEmpty()).isFalse();
    }

    // Else whoever asks again and again, each time with a time-out, fills the heap.
    @Test
    void nextRequestForgetsCancelledOnes() {
        CompletableFuture<Void> givenUp = request(1);
        givenUp.cancel(false);
        CompletableFuture<Void> latest = request(1);
        transfers.onRefused(1, Optional.empty(), new IllegalStateException("refused by the test"));
        assertFails(latest, "refused by the test");
        assertThat(transfers.isEmpty()).isTrue();
    }

    @Test
    void theEndIsToldToAll() {
        CompletableFuture<Void> one = request(1);
        CompletableFuture<Void> other = request(2);
        transfers.end(new IllegalStateException("ended by the test"));
        assertFails(one, "ended by the test");
        assertFails(other, "ended by the test");
        assertThat(transfers.isEmpty()).isTrue();
    }

    @Test
    void anAnswerThatNobodyWaitsForHarmsNobody() {
        begin(1, SUCCESSOR);
        transfers.onRefused(1, Optional.empty(), new IllegalStateException("refused by the test"));
        assertThat(transfers.isEmpty()).isTrue();
    }
}
