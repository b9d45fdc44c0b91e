package io.quorate.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.algorithms.Machine;
import io.quorate.algorithms.Notation;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What one process does in H of either ring: docs/algorithms/lcr.md#hardened and docs/algorithms/token-ring.md#hardened,
 * with docs/algorithms/common.md#hardening-rules.
 */
@ParameterizedClass
@EnumSource
class RingHardenedTest {

    private static final Options WITH_P = new Options(Variant.HARDENED, false, true);

    @Parameter
    private Ring ring;

    private Machine process(int id, int size) {
        return ring.process(id, size, Options.HARDENED);
    }

    @Test
    void startSetsTheHeartbeatAndInitiates() {
        assertThat(process(2, 3).on("start"))
                .containsExactlyInAnyOrder("set HB=30", ring.own(2, "1,1", 0) + " ->3", ring.retry(3));
        assertThat(process(2, 3).on("start inc=7")).contains(ring.own(2, "7,1", 0) + " ->3");
    }

    // K1.
    @Test
    void suspicionOfTheLeaderStartsAnElection() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=3", "suspect(2)")).isEmpty();
        assertThat(p1.on("suspect(3)"))
                .containsExactlyInAnyOrder("LEADER -", ring.own(1, "1,1", 0) + " ->1", ring.retry(3));
        assertThat(p1.leader()).isZero();
        assertThat(p1.on("restore(3)")).isEmpty();
    }

    // Quirk 10 of LCR, weakness (c) of the token ring: the message may have been in the crashing process.
    @Test
    void suspicionDuringAnElectionStartsItAnew() {
        Machine p1 = process(1, 4);
        p1.on("start");
        assertThat(p1.on("suspect(3)")).containsExactlyInAnyOrder(ring.own(1, "1,2", 0) + " ->2", ring.retry(4));
    }

    // K5, and the pitfall "double victory".
    @Test
    void ownMessageOfAFormerAttemptOrLifeIsIgnored() {
        Machine p3 = process(3, 3);
        p3.after("start inc=2", "timer TR");
        for (String other : List.of("2,1", "1,2", "2,3")) {
            assertThat(p3.on(ring.ownBack(other, 0) + " from 2")).as(other).isEmpty();
        }
        assertThat(p3.on(ring.ownBack("2,2", 0) + " from 2")).contains("LEADER 3 1");
    }

    // A duplicate would be a second victory.
    @Test
    void ownMessageOutsideAnElectionIsIgnored() {
        Machine p3 = process(3, 3);
        p3.after("start", ring.ownBack("1,1", 0) + " from 2");
        assertThat(p3.leader()).isEqualTo(3);
        assertThat(p3.on(ring.ownBack("1,1", 0) + " from 2")).isEmpty();
    }

    // K4: both for an initiator and for a process that only forwarded.
    @Test
    void everybodyInAnElectionHasARetry() {
        assertThat(process(1, 3).after("start", "timer TR"))
                .containsExactlyInAnyOrder(ring.own(1, "1,2", 0) + " ->2", ring.retry(3));
        assertThat(process(1, 3).after("start leader=2", ring.own(3, "1,1", 0) + " from 3", "timer TR"))
                .containsExactlyInAnyOrder(ring.own(1, "1,1", 0) + " ->2", ring.retry(3));
    }

    /** The effect of the last of these events on TR. */
    private static String retryAfter(Machine process, String... events) {
        return process.after(events).stream()
                .filter(effect -> effect.startsWith("set TR="))
                .findAny()
                .orElse("");
    }

    private String doubled(int doublings) {
        long base = Long.parseLong(ring.retry(3).substring("set TR=".length()));
        return "set TR=" + (base << doublings);
    }

    // K8: however many messages of former attempts came, TR is doubled once, and then once more for the next.
    @Test
    void ownMessageThatComesHomeLateDoublesTheNextRetry() {
        Machine p3 = process(3, 3);
        p3.after("start", "timer TR", "timer TR");
        assertThat(retryAfter(p3, ring.ownBack("1,1", 0) + " from 2", ring.ownBack("1,2", 0) + " from 2", "timer TR"))
                .isEqualTo(doubled(1));
        assertThat(retryAfter(p3, "timer TR")).isEqualTo(doubled(1));
        assertThat(retryAfter(p3, ring.ownBack("1,3", 0) + " from 2", "timer TR"))
                .isEqualTo(doubled(2));
    }

    // K8: against loss and crashes a longer time-out does not help; and nothing else says that TR was too short.
    @Test
    void silenceAndMessagesOfOtherLivesDoubleNothing() {
        Machine p3 = process(3, 3);
        p3.on("start inc=2");
        for (String other : List.of("1,1", "3,1", "2,99")) {
            assertThat(retryAfter(p3, ring.ownBack(other, 0) + " from 2", "timer TR"))
                    .as(other)
                    .isEqualTo(doubled(0));
        }
    }

    // K8: a victory ends the patience, and what comes home after it proves nothing.
    @Test
    void nextElectionBeginsWithTheShortRetry() {
        Machine p1 = process(1, 3);
        p1.after("start", "timer TR");
        assertThat(retryAfter(p1, ring.own(1, "1,1", 0) + " from 3", "timer TR"))
                .isEqualTo(doubled(1));
        p1.after(ring.own(1, "1,2", 0) + " from 3", ring.own(1, "1,3", 0) + " from 3");
        assertThat(p1.leader()).isEqualTo(1);
        p1.on(ring.own(1, "1,2", 0) + " from 3");
        assertThat(retryAfter(p1, ring.own(3, "1,1", 0) + " from 3")).isEqualTo(doubled(0));
        assertThat(retryAfter(p1, "timer TR")).isEqualTo(doubled(0));
    }

    // K8: a peer that always lies drives TR to a million times its length, and no further.
    @Test
    void retryHasALongestTime() {
        Machine p3 = process(3, 3);
        p3.after("start", "timer TR");
        for (int lie = 0; lie < 100; lie++) {
            p3.after(ring.ownBack("1,1", 0) + " from 2", "timer TR");
        }
        assertThat(retryAfter(p3, "timer TR")).isEqualTo(doubled(20));
    }

    // The documents' timers: the retry must not come before an election that meets with no failure can be over.
    @ParameterizedTest
    @ValueSource(longs = {1, 10, 20_000_000})
    void retryComesAfterTheUsualFailover(long delta) {
        Machine p1 = ring.process(Membership.of(0, 5), new Timing(delta), Options.HARDENED);
        long retry = p1.on(Event.Start.FRESH).stream()
                .filter(effect ->
                        effect instanceof Effect.SetTimer set && set.timer().equals("TR"))
                .mapToLong(effect -> ((Effect.SetTimer) effect).delayMin())
                .sum();
        assertThat(ring.algorithm.usualFailover(new Timing(delta), 5))
                .isEqualTo(ring.circulations * 5 * delta)
                .isLessThan(retry);
    }

    @Test
    void timerThatIsNotPendingIsABug() {
        Machine p1 = process(1, 3);
        p1.on("start leader=3");
        assertThatIllegalStateException().isThrownBy(() -> p1.on("timer TR")).withMessageContaining("no election");
        assertThatIllegalStateException().isThrownBy(() -> p1.on("timer X")).withMessageContaining("X");
    }

    @Test
    void initialLeaderOutsideTheMembershipIsABug() {
        Machine p1 = process(1, 3);
        Event start = new Event.Start(1, Event.Saved.NOTHING, OptionalInt.of(3));
        assertThatIllegalStateException().isThrownBy(() -> p1.on(start));
    }

    // K7.
    @Test
    void secondLifeGoesAboveItsFirst() {
        Notation notation = ring.notation(Variant.HARDENED);
        Machine p3 = ring.process(3, 3, WITH_P);
        p3.on("start");
        Event.Saved saved = p3.savedBy(ring.ownBack("1,1", 0) + " from 2");
        Machine secondLife = ring.process(3, 3, WITH_P);
        assertThat(secondLife.on(new Event.Start(2, saved, OptionalInt.empty())))
                .contains(new Effect.Send(0, notation.parse(ring.own(3, "2,1", 1))))
                .noneMatch(Effect.Save.class::isInstance);
        assertThat(secondLife.on(notation.parseEvent(ring.ownBack("2,1", 0) + " from 2")))
                .contains(new Effect.Nominate(2, new Mark(2, 2, 0)));
    }

    @Test
    void savedStateOfSomethingElseIsRefused() {
        Machine p3 = ring.process(3, 3, WITH_P);
        Event start = new Event.Start(2, new Event.Saved(new byte[] {1, 2}), OptionalInt.empty());
        assertThatIllegalStateException().isThrownBy(() -> p3.on(start)).withMessageContaining("saved state");
    }
}
