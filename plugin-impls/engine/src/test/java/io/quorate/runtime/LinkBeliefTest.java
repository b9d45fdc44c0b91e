package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.Link.Verdict;
import org.junit.jupiter.api.Test;

/**
 * docs/protocol.md#lives, rule 6: which life of a voter is believed in messages that only voters send. In units of a
 * tenth of a support time.
 */
class LinkBeliefTest {

    private static final long SUPPORT = 10;
    private static final long A = 7;
    private static final long B = 3;

    private final Link link = new Link(2, SUPPORT, 1_000, 0);
    private long sequence;

    /** A frame of a life that has all that was sent to it. */
    private Verdict hear(Link at, long life, long now) {
        return at.judge(life, true, ++sequence, at.onSent(true, now), 0, now);
    }

    private Verdict hear(long life, long now) {
        return hear(link, life, now);
    }

    @Test
    void nobodyIsBelievedBeforeItIsHeard() {
        assertThat(link.isBelieved(A)).isFalse();
    }

    @Test
    void firstLifeIsBelievedImmediately() {
        assertThat(hear(A, 1_000)).isEqualTo(Verdict.FIRST);
        assertThat(link.isBelieved(A)).isTrue();
        assertThat(link.isBelieved(B)).isFalse();
        hear(A, 2_000);
        assertThat(link.isBelieved(A)).as("it was away").isTrue();
    }

    private void isBelievedFromTenOn() {
        for (long now = 0; now <= 2 * SUPPORT; now++) {
            assertThat(link.isBelieved(B)).as("at %d", now).isEqualTo(now > SUPPORT);
            hear(B, 1_010 + now);
            assertThat(link.isBelieved(A)).isFalse();
        }
    }

    @Test
    void laterLifeIsBelievedWhenItWasHeardForASupportTime() {
        hear(A, 1_000);
        isBelievedFromTenOn();
    }

    // The former one may have promised something just before.
    @Test
    void lifeThatFollowsAFarewellIsBelievedNoSooner() {
        hear(A, 1_009);
        link.onFarewell();
        isBelievedFromTenOn();
    }

    @Test
    void lifeThatHasItsPlaceBackIsBelievedNoSooner() {
        hear(B, 990);
        hear(A, 1_000);
        isBelievedFromTenOn();
    }

    // Both may have stood still.
    @Test
    void silenceCountsForHalfASupportTimeAtMost() {
        hear(A, 1_000);
        hear(B, 1_010);
        hear(B, 1_110);
        assertThat(link.isBelieved(B)).isFalse();
        hear(B, 1_114);
        assertThat(link.isBelieved(B)).isFalse();
        hear(B, 1_115);
        assertThat(link.isBelieved(B)).isTrue();
    }

    @Test
    void copiesAndRefusedFramesCountForNothing() {
        hear(A, 1_000);
        hear(B, 1_010);
        for (long now = 1_011; now < 1_015; now++) {
            assertThat(link.judge(B, true, sequence, link.onSent(true, now), 0, now))
                    .isEqualTo(Verdict.STALE);
        }
        assertThat(hear(A, 1_019)).as("B was heard 9 ago").isEqualTo(Verdict.UNPROVED);
        assertThat(hear(A, 1_020)).as("copies keep no place").isEqualTo(Verdict.FIRST);
        assertThat(link.isBelieved(A)).isFalse();
    }

    // It promises things until it is refused, to others that have not heard of the present one.
    @Test
    void lifeIsBelievedASupportTimeAfterAnotherOneWasRefused() {
        hear(A, 1_000);
        for (long now = 1_010; now <= 1_016; now++) {
            hear(B, now);
        }
        assertThat(hear(A, 1_017)).isEqualTo(Verdict.UNPROVED);
        assertThat(hear(A, 1_019)).isEqualTo(Verdict.UNPROVED);
        for (long now = 1_020; now <= 1_040; now++) {
            assertThat(link.isBelieved(B)).as("at %d", now).isEqualTo(now > 1_029);
            hear(B, now);
            // A late frame of a dead life shows nothing, and a believed life stays believed.
            link.judge(A, true, ++sequence, 1, 0, now);
            if (now > 1_030) {
                assertThat(hear(A, now)).isEqualTo(Verdict.UNPROVED);
            }
        }
    }
}
