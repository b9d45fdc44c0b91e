package io.quorate.bully;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * docs/algorithms/bully.md#hardened, with K1 to K7 of docs/algorithms/common.md#hardening-rules (K5 has no case here:
 * no message comes back).
 */
class BullyHardenedTest {

    private static final Options WITH_Q = new Options(Variant.HARDENED, true, false);
    private static final Options WITH_P = new Options(Variant.HARDENED, false, true);

    private static Machine process(int id, int size) {
        return process(id, size, Options.HARDENED);
    }

    private static Machine process(int id, int size, Options options) {
        return new Machine(
                BullyElection.create(Membership.of(id - 1, size), new Timing(10), options),
                new BullyNotation(Variant.HARDENED));
    }

    @Test
    void startSetsTheHeartbeatAndElects() {
        assertThat(process(1, 3).on("start")).containsExactlyInAnyOrder("set HB=20", "ELECTION(0) ->2,3", "set T=25");
        assertThat(process(3, 3).on("start")).containsExactlyInAnyOrder("set HB=20", "VICTORY(1) ->1,2", "LEADER 3 1");
        assertThat(process(1, 1).on("start")).containsExactlyInAnyOrder("set HB=20", "LEADER 1 1");
    }

    @Test
    void configuredLeaderIsFollowedWithoutAnElection() {
        Machine p1 = process(1, 3);
        assertThat(p1.on("start leader=3")).containsExactly("set HB=20");
        assertThat(p1.leader()).isEqualTo(3);
        // (0, 3) is what it follows already.
        assertThat(p1.on("VICTORY(0) from 3")).isEmpty();
    }

    // K1.
    @Test
    void suspicionOfTheLeaderStartsAnElection() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=3", "suspect(2)")).isEmpty();
        assertThat(p1.on("suspect(3)")).containsExactlyInAnyOrder("LEADER -", "ELECTION(0) ->2,3", "set T=25");
        assertThat(p1.leader()).isZero();
        assertThat(p1.on("restore(3)")).isEmpty();
    }

    // K1 in an election of its own: the leader goes, the election stays.
    @Test
    void suspicionOfTheLeaderDuringAnElectionOnlyDropsIt() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start leader=3", "ELECTION(0) from 1", "suspect(3)"))
                .containsExactly("LEADER -");
    }

    // Quirk 3 of F.
    @Test
    void victoryOfASuspectedProcessIsIgnored() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=2", "suspect(3)", "VICTORY(4) from 3"))
                .isEmpty();
        assertThat(p1.leader()).isEqualTo(2);
    }

    // K2: the term of every message is merged first, and the winner goes one above.
    @Test
    void winnerTakesATermAboveAllItHasSeen() {
        Machine p2 = process(2, 3);
        p2.on("start");
        assertThat(p2.on("ELECTION(7) from 1")).containsExactly("ALIVE(7) ->1");
        assertThat(p2.on("timer T")).containsExactlyInAnyOrder("VICTORY(8) ->1,3", "LEADER 2 8");
        assertThat(process(1, 2).after("start", "ALIVE(4) from 2", "timer T2"))
                .containsExactlyInAnyOrder("ELECTION(4) ->2", "set T=25");
    }

    @Test
    void termOfAnIgnoredMessageIsMergedAsWell() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start", "ELECTION(5) from 3")).isEmpty();
        assertThat(p2.on("timer T")).contains("LEADER 2 6");
    }

    // K2: a victory below the accepted one is answered with a term that forces the winner above it.
    @Test
    void staleVictoryOfAHigherProcessIsNudged() {
        Machine p1 = process(1, 4);
        p1.after("start", "VICTORY(5) from 3");
        assertThat(p1.on("VICTORY(4) from 4")).containsExactly("ELECTION(6) ->4");
        assertThat(p1.leader()).isEqualTo(3);
    }

    // K2: a leader that came back without its term (K7 is off) must go above its former life.
    @Test
    void staleVictoryOfTheOwnLeaderIsNudged() {
        Machine p1 = process(1, 4);
        p1.after("start", "VICTORY(5) from 4");
        assertThat(p1.on("VICTORY(1) from 4")).containsExactly("ELECTION(6) ->4");
    }

    // D1: the repetition of the higher leader deposes the sender.
    @Test
    void staleVictoryOfAProcessBelowTheLeaderIsIgnored() {
        Machine p1 = process(1, 4);
        p1.after("start", "VICTORY(5) from 4");
        assertThat(p1.on("VICTORY(5) from 3")).isEmpty();
    }

    // K2: with equal terms seen.term alone would be no more than the announcer has, and the exchange would not end.
    @Test
    void nudgeIsAboveTheAcceptedTermAlsoIfTermsAreEqual() {
        Machine p1 = process(1, 4);
        p1.after("start", "VICTORY(5) from 4", "suspect(4)");
        assertThat(p1.on("VICTORY(5) from 3")).containsExactly("ELECTION(6) ->3");
    }

    @Test
    void victoryIsIndicatedOnlyIfLeaderOrTermChange() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start", "VICTORY(1) from 3")).containsExactlyInAnyOrder("cancel T", "LEADER 3 1");
        assertThat(p1.on("VICTORY(1) from 3")).isEmpty();
        assertThat(p1.on("VICTORY(2) from 3")).containsExactly("LEADER 3 2");
        assertThat(p1.on("VICTORY(2) from 4")).containsExactly("LEADER 4 2");
    }

    @Test
    void victoryEndsTheWaitForVictory() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "ALIVE(0) from 2", "VICTORY(1) from 3"))
                .containsExactlyInAnyOrder("cancel T2", "LEADER 3 1");
    }

    // K3; every process keeps the timer running.
    @Test
    void leaderRepeatsItsVictory() {
        assertThat(process(3, 3).after("start", "timer HB")).containsExactlyInAnyOrder("VICTORY(1) ->1,2", "set HB=20");
        assertThat(process(1, 3).after("start", "timer HB")).containsExactly("set HB=20");
    }

    // K4: each waiting phase ends by a timer.
    @Test
    void bothWaitingPhasesHaveARetry() {
        Machine p1 = process(1, 3);
        p1.after("start", "ALIVE(0) from 2");
        assertThat(p1.on("timer T2")).containsExactlyInAnyOrder("ELECTION(0) ->2,3", "set T=25");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("VICTORY(1) ->2,3", "LEADER 1 1");
    }

    // Quirk 1 of F is mended.
    @Test
    void leaderAnswersALateElectionToItsSenderOnly() {
        Machine p3 = process(3, 3);
        assertThat(p3.after("start", "ELECTION(1) from 1")).containsExactlyInAnyOrder("ALIVE(1) ->1", "VICTORY(1) ->1");
        assertThat(p3.election().isParticipating()).isFalse();
    }

    @Test
    void leaderReassertsItselfAboveTheTermOfAnElection() {
        Machine p3 = process(3, 3);
        assertThat(p3.after("start", "ELECTION(4) from 1"))
                .containsExactlyInAnyOrder("ALIVE(4) ->1", "VICTORY(5) ->1,2", "LEADER 3 5");
    }

    @Test
    void electionOfALowerProcessStartsOneHere() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start leader=3", "ELECTION(0) from 1"))
                .containsExactlyInAnyOrder("ALIVE(0) ->1", "ELECTION(0) ->3", "set T=25");
        assertThat(p2.on("ELECTION(0) from 1")).containsExactly("ALIVE(0) ->1");
    }

    // Pitfall: an ALIVE to a higher process would tell it to wait for us.
    @Test
    void electionOfAHigherProcessIsNotAnswered() {
        assertThat(process(1, 3).after("start leader=2", "ELECTION(0) from 3")).isEmpty();
    }

    // Quirk 2 of F is mended: "VICTORY from lower".
    @Test
    void leaderDeposesALowerLeader() {
        Machine p3 = process(3, 3);
        p3.on("start");
        assertThat(p3.on("VICTORY(1) from 2")).containsExactly("VICTORY(1) ->2");
        assertThat(p3.on("VICTORY(2) from 1")).containsExactlyInAnyOrder("VICTORY(3) ->1,2", "LEADER 3 3");
    }

    @Test
    void followerAndCandidateIgnoreALowerLeader() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start", "VICTORY(3) from 1")).isEmpty();
        assertThat(p2.after("VICTORY(3) from 3", "VICTORY(4) from 1")).isEmpty();
        assertThat(p2.leader()).isEqualTo(3);
    }

    // K6: two of four are no majority.
    @Test
    void leaderWithoutAMajorityStepsDownAndComesBackWithOne() {
        Machine p4 = process(4, 4, WITH_Q);
        assertThat(p4.after("start", "suspect(1)")).isEmpty();
        assertThat(p4.on("suspect(2)")).containsExactlyInAnyOrder("LEADER -", "set T2=50");
        assertThat(p4.on("timer T2")).containsExactly("set T2=50");
        assertThat(p4.on("restore(1)")).isEmpty();
        assertThat(p4.on("timer T2")).containsExactlyInAnyOrder("VICTORY(2) ->1,2,3", "LEADER 4 2");
    }

    @Test
    void candidateWithoutAMajorityWaits() {
        Machine p1 = process(1, 3, WITH_Q);
        p1.after("start", "suspect(2)", "suspect(3)");
        assertThat(p1.on("timer T")).containsExactly("set T2=50");
        assertThat(p1.on("timer T2")).containsExactlyInAnyOrder("ELECTION(0) ->2,3", "set T=25");
    }

    @Test
    void withoutOptionQNobodyCountsItsSuspects() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "suspect(2)", "suspect(3)", "timer T")).contains("LEADER 1 1");
    }

    // K7.
    @Test
    void termAndVictoryAreSavedWheneverTheyChange() {
        Machine p1 = process(1, 3, WITH_P);
        p1.on("start");
        Event.Saved merged = p1.savedBy("ALIVE(3) from 2");
        Event.Saved accepted = p1.savedBy("VICTORY(3) from 3");
        assertThat(merged).isNotEqualTo(accepted);
        assertThat(p1.on("VICTORY(3) from 3")).isEmpty();
        Machine secondLife = process(1, 3, WITH_P);
        assertThat(secondLife.on(new Event.Start(2, accepted, OptionalInt.empty())))
                .contains(new Effect.Send(1, new BullyMessage.Election(3)))
                .noneMatch(Effect.Save.class::isInstance);
        assertThat(secondLife.on("VICTORY(2) from 3")).hasSize(2).contains("ELECTION(4) ->3");
    }

    @Test
    void secondLifeOfTheHighestGoesAboveItsFirst() {
        Machine p3 = process(3, 3, WITH_P);
        Event.Saved saved = p3.savedBy("start");
        Machine secondLife = process(3, 3, WITH_P);
        assertThat(secondLife.on(new Event.Start(2, saved, OptionalInt.empty())))
                .contains(new Effect.Nominate(2, new Mark(2, 2, 0)));
    }

    @Test
    void savedStateOfSomethingElseIsRefused() {
        Machine p3 = process(3, 3, WITH_P);
        Event start = new Event.Start(2, new Event.Saved(new byte[] {1, 2}), OptionalInt.empty());
        assertThatIllegalStateException().isThrownBy(() -> p3.on(start)).withMessageContaining("saved state");
    }
}
