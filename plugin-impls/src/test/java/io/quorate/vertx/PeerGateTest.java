package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How often a peer is written to. Virtual time. */
class PeerGateTest {

    private static final long MILLI = 1_000_000;

    private final PeerGate gate = new PeerGate();

    // The first write is an attempt to connect like any other, to a peer that may not be there yet.
    @Test
    void aPeerIsUnprovedUntilItWasReached() {
        assertThat(gate.isUnproved()).isTrue();
        assertThat(gate.wasEverReached()).isFalse();
        gate.enter(0);
        gate.onWritten();
        assertThat(gate.isUnproved()).isFalse();
        gate.enter(0);
        gate.onFailed(0);
        assertThat(gate.isUnproved()).isTrue();
        assertThat(gate.wasEverReached()).isTrue();
    }

    @Test
    void atMostABoundedNumberOfWritesIsUnderWay() {
        for (int i = 0; i < PeerGate.PENDING_MAX; i++) {
            assertThat(gate.enter(0)).isTrue();
        }
        assertThat(gate.enter(0)).isFalse();
        gate.onWritten();
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
        assertThat(gate.isUnproved()).isTrue();
        assertThat(gate.enter(100 * MILLI)).isTrue();
        assertThat(gate.enter(100 * MILLI)).isFalse();
        gate.onWritten();
        assertThat(gate.isUnproved()).isFalse();
        assertThat(gate.enter(100 * MILLI)).isTrue();
        assertThat(gate.enter(100 * MILLI)).isTrue();
    }

    @Test
    void aWriteOrAFrameOfThePeerEndsThePause() {
        gate.enter(0);
        gate.enter(0);
        gate.onFailed(0);
        gate.onWritten();
        assertThat(gate.enter(0)).isTrue();
        gate.onFailed(0);
        gate.onReached();
        assertThat(gate.enter(0)).isTrue();
        gate.onFailed(0);
        assertThat(gate.enter(99 * MILLI)).as("the pause begins anew").isFalse();
        assertThat(gate.enter(100 * MILLI)).isTrue();
    }

    @Test
    void onlyChangesOfReachabilityAreReported() {
        gate.enter(0);
        gate.enter(0);
        gate.enter(0);
        assertThat(gate.onReached()).isFalse();
        assertThat(gate.onFailed(0)).isTrue();
        assertThat(gate.onFailed(0)).isFalse();
        assertThat(gate.onWritten()).isTrue();
        assertThat(gate.onReached()).isFalse();
    }
}
