package io.quorate.core.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private final Outbox<String> outbox = new Outbox<>();

    private List<String> next(long now) {
        return outbox.next(now, 10, key -> 1).orElse(List.of());
    }

    @Test
    void oneBatchAtATimeAndChangesGather() {
        outbox.mark("a");
        assertThat(next(0)).containsExactly("a");
        outbox.mark("b");
        outbox.mark("b");
        assertThat(next(1)).isEmpty();
        outbox.acknowledged(outbox.batch());
        assertThat(next(2)).containsExactly("b");
    }

    @Test
    void lostBatchIsRepeatedUnderANewNumberWithWhatChangedSince() {
        outbox.mark("a");
        next(0);
        long lost = outbox.batch();
        outbox.mark("b");
        assertThat(next(9)).isEmpty();
        assertThat(next(10)).containsExactly("a", "b");
        outbox.acknowledged(lost);
        assertThat(outbox.isIdle())
                .as("the late acknowledgement of the first sending")
                .isFalse();
        outbox.acknowledged(outbox.batch());
        assertThat(outbox.isIdle()).isTrue();
    }

    @Test
    void eachRepetitionIsGivenTwiceTheTimeUpToEightTimes() {
        outbox.mark("a");
        next(0);
        long now = 0;
        for (long patience : List.of(10L, 20L, 40L, 80L, 80L)) {
            assertThat(outbox.resendAt(10)).isEqualTo(now + patience);
            assertThat(next(now + patience - 1)).isEmpty();
            now += patience;
            assertThat(next(now)).containsExactly("a");
        }
        outbox.acknowledged(outbox.batch());
        outbox.mark("b");
        assertThat(next(now)).containsExactly("b");
        assertThat(outbox.resendAt(10)).as("after an answer").isEqualTo(now + 10);
    }

    @Test
    void peerThatBeginsAnewIsGivenTheFirstPatience() {
        outbox.mark("a");
        next(0);
        next(10);
        outbox.clear();
        outbox.mark("a");
        next(20);
        assertThat(outbox.resendAt(10)).isEqualTo(30);
    }

    @Test
    void batchesFitIntoAFrame() {
        for (int i = 0; i < 100; i++) {
            outbox.mark("key" + i);
        }
        List<String> first = outbox.next(0, 10, key -> 1024).orElseThrow();
        assertThat(first).hasSize(Outbox.BATCH_BYTES_MAX / 1024);
        outbox.acknowledged(outbox.batch());
        assertThat(outbox.next(1, 10, key -> 1024).orElseThrow()).doesNotContainAnyElementsOf(first);
    }

    @Test
    void clearForgetsEverything() {
        outbox.mark("a");
        next(0);
        outbox.mark("b");
        outbox.clear();
        assertThat(outbox.isIdle()).isTrue();
        assertThat(next(50)).isEmpty();
    }
}
