package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        transfers.onBegun(1, new ContenderId(new NodeId("n2"), 1, 7));
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
        transfers.onRefused(1, new IllegalStateException("refused by the test"));
        assertFails(refused, "refused by the test");
        assertThat(transfers.isEmpty()).isTrue();
    }

    @Test
    void anAnswerThatNobodyWaitsForHarmsNobody() {
        transfers.onBegun(1, new ContenderId(new NodeId("n2"), 1, 7));
        transfers.onRefused(1, new IllegalStateException("refused by the test"));
        assertThat(transfers.isEmpty()).isTrue();
    }
}
