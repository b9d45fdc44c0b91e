package io.quorate.core.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {

    /** Of the last batch. */
    private long batch;

    private final Outbox<String> outbox = new Outbox<>();

    private List<String> next(long now) {
        List<String> next = outbox.next(batch + 1, now, 10, key -> 1).orElse(List.of());
        batch += next.isEmpty() ? 0 : 1;
        return next;
    }

    @Test
    void oneBatchAtATimeAndChangesGather() {
        outbox.mark("a");
        assertThat(next(0)).containsExactly("a");
        outbox.mark("b");
        outbox.mark("b");
        assertThat(next(1)).isEmpty();
        outbox.acknowledged(batch);
        assertThat(next(2)).containsExactly("b");
    }

    @Test
    void lostBatchIsRepeatedUnderANewNumberWithWhatChangedSince() {
        outbox.mark("a");
        next(0);
        long lost = batch;
        outbox.mark("b");
        assertThat(next(9)).isEmpty();
        assertThat(next(10)).containsExactly("a", "b");
        outbox.acknowledged(lost);
        assertThat(outbox.isIdle())
                .as("the late acknowledgement of the first sending")
                .isFalse();
        outbox.acknowledged(batch);
        assertThat(outbox.isIdle()).isTrue();
    }

    // Thousands of paths may wait behind it.
    @Test
    void repetitionCostsWhatItsBatchCosts() {
        int[] asked = new int[1];
        record Key(int number, int[] asked) {
            @Override
            public boolean equals(Object other) {
                return other instanceof Key key && number == key.number;
            }

            @Override
            public int hashCode() {
                asked[0]++;
                return number;
            }
        }
        Outbox<Key> many = new Outbox<>();
        for (int i = 0; i < 10_000; i++) {
            many.mark(new Key(i, asked));
        }
        List<Key> first = many.next(1, 0, 10, key -> 1024).orElseThrow();
        asked[0] = 0;
        assertThat(many.next(2, 10, 10, key -> 1024).orElseThrow()).isEqualTo(first);
        assertThat(asked[0]).isLessThan(4 * first.size());
    }

    @Test
    void repeatedChangeIsSentOnce() {
        outbox.mark("a");
        outbox.mark("b");
        next(0);
        outbox.mark("b");
        outbox.mark("c");
        assertThat(next(10)).containsExactly("a", "b", "c");
        outbox.acknowledged(batch);
        assertThat(outbox.isIdle()).isTrue();
    }

    // Its keys take more room now than when they were sent first.
    @Test
    void repetitionThatHasGrownIsSentInParts() {
        for (String key : List.of("a", "b", "c")) {
            outbox.mark(key);
        }
        next(0);
        outbox.mark("d");
        List<String> sent = new ArrayList<>(
                outbox.next(++batch, 10, 10, key -> Outbox.BATCH_BYTES_MAX / 2).orElseThrow());
        assertThat(sent).containsExactly("a", "b");
        outbox.acknowledged(batch);
        assertThat(outbox.isIdle()).isFalse();
        assertThat(next(11)).containsExactly("c", "d");
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
        outbox.acknowledged(batch);
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
        List<String> first = outbox.next(++batch, 0, 10, key -> 1024).orElseThrow();
        assertThat(first).hasSize(Outbox.BATCH_BYTES_MAX / 1024);
        outbox.acknowledged(batch);
        assertThat(outbox.next(++batch, 1, 10, key -> 1024).orElseThrow()).doesNotContainAnyElementsOf(first);
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

    // A peer that does not answer would be owed a word about everything that ever came and went.
    @Test
    void unknownItemIsNotReportedAsGone() {
        outbox.begin("a");
        outbox.mark("a");
        assertThat(outbox.end("a")).isFalse();
        assertThat(outbox.isIdle()).isTrue();
    }

    @Test
    void possiblyKnownItemIsReportedAsGone() {
        outbox.begin("sent");
        next(0);
        assertThat(outbox.end("sent")).as("its batch is under way").isTrue();
        outbox.acknowledged(batch);
        assertThat(outbox.end("sent")).as("it was acknowledged").isTrue();
        outbox.mark("changed");
        outbox.begin("changed");
        assertThat(outbox.end("changed")).as("it was known before").isTrue();
        outbox.begin("elsewhere");
        outbox.told("elsewhere");
        assertThat(outbox.end("elsewhere")).as("it was told in another way").isTrue();
    }
}
