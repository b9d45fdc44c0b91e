package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import org.junit.jupiter.api.Test;

class PeerTest {

    /** A support time that does not shorten pauses. */
    private static final long LONG = 60_000_000_000L;

    private static final long MILLI = 1_000_000;

    private final Peer peer = new Peer(new NodeId("b"));

    // The oldest makes room, because what was said last is worth most.
    @Test
    void soManyFramesWait() {
        for (int i = 0; i < 64; i++) {
            assertThat(peer.offer(new byte[] {(byte) i}, 0)).isZero();
        }
        assertThat(peer.offer(new byte[] {64}, 0)).isEqualTo(1);
        for (int i = 1; i <= 64; i++) {
            assertThat(peer.poll(1)).contains(new byte[] {(byte) i});
        }
        assertThat(peer.poll(1)).isEmpty();
        assertThat(peer.offer(new byte[1], 0)).isZero();
    }

    @Test
    void soManyBytesWait() {
        for (int i = 0; i < 4; i++) {
            assertThat(peer.offer(new byte[65_536], 0)).isZero();
        }
        assertThat(peer.offer(new byte[1], 0)).isEqualTo(1);
        assertThat(peer.poll(65_535)).as("too long for what is left").isEmpty();
        assertThat(peer.poll(65_536)).isPresent();
        assertThat(peer.offer(new byte[65_536], 0)).isZero();
        assertThat(peer.offer(new byte[65_536], 0)).isEqualTo(1);
    }

    @Test
    void pausesDoubleFromATenthOfASecondToOne() {
        long[] pauses = {100, 200, 400, 800, 1_000, 1_000};
        long now = 0;
        for (long pause : pauses) {
            assertThat(peer.offer(new byte[1], now)).isZero();
            assertThat(peer.onFailed(now, LONG, () -> 0))
                    .as("what waits is gone")
                    .isEqualTo(1);
            assertThat(peer.offer(new byte[1], now + pause * MILLI - 1)).isEqualTo(Peer.REFUSED);
            now += pause * MILLI;
            assertThat(peer.isPaused(now)).isFalse();
        }
        peer.onReached();
        peer.onFailed(now, LONG, () -> 0);
        assertThat(peer.isPaused(now + 100 * MILLI - 1)).isTrue();
        assertThat(peer.isPaused(now + 100 * MILLI)).isFalse();
    }

    // A connection that has just ended keeps the next one out for a moment.
    @Test
    void lastingBusyMeansAnotherProcess() {
        long begun = 5;
        assertThat(peer.onBusy(0, begun)).isFalse();
        assertThat(peer.onBusy(0, begun + 4_000 * MILLI - 1)).isFalse();
        assertThat(peer.onBusy(0, begun + 4_000 * MILLI)).isTrue();
        peer.onReached();
        assertThat(peer.onBusy(0, begun + 9_000 * MILLI)).isFalse();
        assertThat(peer.onBusy(0, begun + 10_000 * MILLI)).isFalse();
        assertThat(peer.onBusy(0, begun + 13_000 * MILLI)).isTrue();
    }

    // A process that crashes soon after each start is refused until the place of its former life is over.
    @Test
    void refusalsOfAProcessEndWhenItGetsThePlace() {
        assertThat(peer.refusesLong(0, 0)).isFalse();
        peer.onPassed(7, 1_000 * MILLI);
        assertThat(peer.refusesLong(0, 3_000 * MILLI)).isFalse();
        assertThat(peer.refusesLong(0, 4_000 * MILLI)).isFalse();
        assertThat(peer.refusesLong(0, 7_000 * MILLI)).isTrue();
    }

    // The place of a dead process ends a support time after its last frame.
    @Test
    void longPlacesExplainLongRefusals() {
        assertThat(peer.onBusy(6_000 * MILLI, 0)).isFalse();
        assertThat(peer.onBusy(6_000 * MILLI, 12_000 * MILLI - 1)).isFalse();
        assertThat(peer.onBusy(6_000 * MILLI, 12_000 * MILLI)).isTrue();
    }

    @Test
    void placesBelongToTheProcessThatSpokeLast() {
        assertThat(peer.keepsOut(8, 100, 0)).isZero();
        peer.onPassed(7, 1_000);
        assertThat(peer.keepsOut(7, 100, 1_099)).isZero();
        assertThat(peer.keepsOut(8, 100, 1_099)).isEqualTo(7);
        assertThat(peer.keepsOut(0, 100, 1_099))
                .as("one that does not say which it is")
                .isEqualTo(7);
        assertThat(peer.keepsOut(8, 100, 1_100)).isZero();
        peer.onLeft(8);
        assertThat(peer.keepsOut(8, 100, 1_099)).isEqualTo(7);
        peer.onLeft(7);
        assertThat(peer.keepsOut(8, 100, 1_099)).isZero();
    }

    @Test
    void chanceShortensAPauseButNotBelowTheShortest() {
        for (int i = 0; i < 10; i++) {
            peer.onFailed(0, LONG, () -> 1);
        }
        assertThat(peer.isPaused(550 * MILLI - 1)).isTrue();
        assertThat(peer.isPaused(550 * MILLI)).isFalse();
        peer.onReached();
        peer.onFailed(0, LONG, () -> 1);
        assertThat(peer.isPaused(100 * MILLI - 1)).isTrue();
    }

    @Test
    void aShortPauseKeepsWhatWaits() {
        peer.offer(new byte[1], 0);
        peer.pauseShortly(0);
        assertThat(peer.offer(new byte[1], 1)).isEqualTo(Peer.REFUSED);
        assertThat(peer.hasFrames()).isTrue();
    }

    // A second process is found in time only if each process calls several times in a support time.
    @Test
    void pausesAreShorterThanAQuarterOfASupportTime() {
        for (int i = 0; i < 5; i++) {
            peer.onFailed(0, 1_000 * MILLI, () -> 0);
        }
        assertThat(peer.isPaused(250 * MILLI - 1)).isTrue();
        assertThat(peer.isPaused(250 * MILLI)).isFalse();
        peer.onFailed(0, 150 * MILLI, () -> 0);
        assertThat(peer.isPaused(100 * MILLI - 1)).as("the shortest").isTrue();
        assertThat(peer.isPaused(100 * MILLI)).isFalse();
        peer.onFailed(0, LONG, () -> 0);
        peer.onFailed(0, LONG, () -> 0);
        assertThat(peer.isPaused(400 * MILLI - 1)).isTrue();
    }
}
