package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How often a peer is written to. Virtual time. */
class PeerGateTest {

    private static final long MILLI = 1_000_000;

    private final PeerGate gate = new PeerGate();

    @Test
    void atMostABoundedNumberOfWritesIsUnderWay() {
        for (int i = 0; i < PeerGate.PENDING_MAX; i++) {
            assertThat(gate.enter(0)).isTrue();
        }
        assertThat(gate.enter(0)).isFalse();
        assertThat(gate.onWritten()).as("it was unreachable").isFalse();
        assertThat(gate.enter(0)).isTrue();
        assertThat(gate.enter(0)).isFalse();
    }

    @Test
    void thePauseGrowsFromATenthOfASecondToOneSecond() {
        long now = 0;
        for (long pause : new long[] {100, 200, 400, 800, 1000, 1000}) {
            assertThat(gate.enter(now)).isTrue();
            gate.onFailed(now);
            assertThat(gate.enter(now + pause * MILLI - 1)).isFalse();
            now += pause * MILLI;
        }
    }

    @Test
    void framesThatFailTogetherCountAsOneFailure() {
        for (int i = 0; i < PeerGate.PENDING_MAX; i++) {
            gate.enter(0);
        }
        for (int i = 0; i < PeerGate.PENDING_MAX; i++) {
            gate.onFailed(i * MILLI);
        }
        assertThat(gate.enter(100 * MILLI)).isTrue();
    }

    @Test
    void aFrameThatWasTakenBeforeAFailureIsNotWrittenAfterIt() {
        gate.enter(0);
        gate.enter(0);
        assertThat(gate.proceed(0)).isTrue();
        gate.onFailed(0);
        assertThat(gate.proceed(0)).isFalse();
        assertThat(gate.enter(100 * MILLI)).as("nothing is under way").isTrue();
    }

    @Test
    void anUnreachablePeerIsTriedWithOneFrameAtATime() {
        gate.enter(0);
        gate.onFailed(0);
        assertThat(gate.enter(100 * MILLI)).isTrue();
        assertThat(gate.enter(100 * MILLI)).isFalse();
        assertThat(gate.onWritten()).as("it was unreachable").isTrue();
        assertThat(gate.wasEverReached()).isTrue();
        assertThat(gate.enter(100 * MILLI)).isTrue();
        assertThat(gate.enter(100 * MILLI)).isTrue();
    }

    @Test
    void aWriteEndsThePause() {
        gate.enter(0);
        gate.enter(0);
        gate.onFailed(0);
        gate.onWritten();
        assertThat(gate.enter(0)).isTrue();
        gate.onFailed(0);
        assertThat(gate.enter(99 * MILLI)).as("the pause begins anew").isFalse();
        assertThat(gate.enter(100 * MILLI)).isTrue();
    }

    // A link that works in one direction only: what comes from the peer is a reason for one attempt, not for more.
    @Test
    void aFrameOfThePeerEndsOnePauseAndDoesNotStopThemFromGrowing() {
        gate.enter(0);
        gate.onFailed(0);
        assertThat(gate.onHeard()).isTrue();
        assertThat(gate.enter(0)).isTrue();
        gate.onFailed(0);
        assertThat(gate.onHeard()).isFalse();
        assertThat(gate.enter(200 * MILLI - 1)).isFalse();
        assertThat(gate.enter(200 * MILLI)).isTrue();
        gate.onWritten();
        gate.enter(0);
        gate.onFailed(0);
        assertThat(gate.onHeard()).as("after a success").isTrue();
    }

    @Test
    void aFrameOfThePeerIsNoProofThatItIsReached() {
        gate.enter(0);
        gate.onFailed(0);
        gate.onHeard();
        assertThat(gate.wasEverReached()).isFalse();
        gate.enter(0);
        assertThat(gate.onFailed(0)).as("no news").isFalse();
    }

    private void write() {
        gate.enter(Long.MAX_VALUE / 2);
        gate.onWritten();
    }

    @Test
    void aPeerThatIsNeverReachedIsMissingOnceAfterAMinute() {
        long begin = Long.MAX_VALUE - PeerGate.MISSING_NANOS / 2;
        assertThat(gate.isMissing(begin)).isFalse();
        assertThat(gate.isMissing(begin + PeerGate.MISSING_NANOS - 1)).isFalse();
        assertThat(gate.isMissing(begin + PeerGate.MISSING_NANOS)).isTrue();
        assertThat(gate.isMissing(begin + 2 * PeerGate.MISSING_NANOS))
                .as("once")
                .isFalse();
    }

    @Test
    void aPeerThatWasReachedIsNeverMissing() {
        assertThat(gate.isMissing(0)).isFalse();
        write();
        assertThat(gate.isMissing(2 * PeerGate.MISSING_NANOS)).isFalse();
    }

    @Test
    void aPeerThatIsLostIsNewsOncePerMinute() {
        assertThat(gate.onUnreachable(0)).as("it is not there yet").isTrue();
        assertThat(gate.onUnreachable(0)).isFalse();
        write();
        assertThat(gate.onUnreachable(1)).as("it is not there any more").isTrue();
        write();
        assertThat(gate.onUnreachable(PeerGate.REPORT_NANOS)).isFalse();
        write();
        assertThat(gate.onUnreachable(PeerGate.REPORT_NANOS + 1)).isTrue();
    }
}
