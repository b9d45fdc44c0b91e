package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** docs/algorithms/three-phase.md#hardened: options Q (quorum guard) and P (persistence) of variant H. */
class ThreePhaseOptionsTest {

    private static final Options WITH_Q = new Options(Variant.HARDENED, true, false);
    private static final Options WITH_P = new Options(Variant.HARDENED, false, true);
    private static final String ALL = "{0:5,1:7,2:9}";

    private static Machine process(int self, Options options) {
        return Machines.of(self, "5,7,9", options);
    }

    /** P0 of 3 with Q, judge of round 0 since 0; the given ones answered, and phase 3 began at 40. */
    private static Machine collectingJudge(int... answering) {
        Machine p0 = process(0, WITH_Q);
        p0.on("start");
        for (int time = 9; time <= 39; time += 10) {
            for (int other : answering) {
                p0.on(time, "ACK(0) from " + other);
            }
            p0.on(time + 1, "timer TASK0");
        }
        return p0;
    }

    // Q: needed to be elected.
    @Test
    void judgeThatTrustsAMinorityTriesTheNextRound() {
        Machine p0 = collectingJudge();
        assertThat(p0.on(80, "timer P3")).containsExactly("START(1) ->1,2", "cancel TASK0", "set TMR=41");
        assertThat(collectingJudge(1).on(45, "REPORT(0," + ALL + ",(-1,0),7) from 1"))
                .contains("LEADER 1 0");
    }

    // Q: needed to stay. Heartbeats are acknowledged; without a majority for T_D the leader steps down.
    @Test
    void leaderWithoutAMajorityStepsDown() {
        Machine p1 = process(1, WITH_Q);
        p1.on("start leader=2");
        p1.on(5, "LEADER(0,4," + ALL + ") from 0");
        assertThat(p1.on(6, "MESSAGE(3," + ALL + ",0,4) from 0")).containsExactly("HBACK(3) ->0", "set FRESH=40");
        Machine p2 = process(2, WITH_Q);
        p2.on("start leader=2");
        p2.on(20, "timer HB");
        p2.on(21, "HBACK(1) from 0");
        assertThat(p2.on(40, "timer HB")).contains("set HB=20");
        assertThat(p2.on(61, "timer HB")).as("just T_D ago").contains("set HB=20");
        assertThat(p2.on(62, "timer HB")).containsExactlyInAnyOrder("LEADER -", "START(0) ->0,1", "set TMR=41");
        assertThat(p2.election().leader()).isEmpty();
    }

    @Test
    void withoutOptionQALeaderStays() {
        Machine p2 = process(2, Options.HARDENED);
        p2.on("start leader=2");
        assertThat(p2.on(1000, "timer HB")).contains("set HB=20");
    }

    // P and weakness 5: a restarted judge does not decide a round of its former life again.
    @Test
    void roundAndDecisionAreSavedBeforeTheyAreShownAndRestored() {
        Machine p0 = process(0, WITH_P);
        List<Effect> effects = p0.election().on(0, Event.Start.FRESH);
        assertThat(effects.get(0)).isInstanceOf(Effect.Save.class);
        ThreePhaseNotation notation = new ThreePhaseNotation(Variant.HARDENED);
        assertThat(p0.election()
                        .on(5, notation.parseEvent("OK(1,(0,1,2)) from 1"))
                        .get(0))
                .isInstanceOf(Effect.Save.class);
        Effect.Save save = (Effect.Save) p0.election()
                .on(6, notation.parseEvent("LEADER(2,3," + ALL + ") from 1"))
                .get(0);
        assertThat(p0.on(7, "START(2) from 1")).doesNotContain("save");

        Machine restarted = process(0, WITH_P);
        restarted.on(new Event.Start(2, save.saved(), OptionalInt.empty()));
        assertThat(restarted.election().leader()).isEmpty();
        assertThat(restarted.on(50, "timer FRESH")).contains("START(4) ->1,2");
        Machine forgetful = process(0, Options.HARDENED);
        forgetful.on(new Event.Start(2, save.saved(), OptionalInt.empty()));
        assertThat(forgetful.on(50, "timer FRESH")).contains("OK(0,(0,1,2)) ->1,2");
    }

    @Test
    void savedBytesOfSomebodyElseAreABug() {
        Event.Saved foreign = new Event.Saved(new byte[] {1, 2, 3, 4});
        assertThatIllegalStateException()
                .isThrownBy(() -> process(0, WITH_P).on(new Event.Start(2, foreign, OptionalInt.empty())));
    }
}
