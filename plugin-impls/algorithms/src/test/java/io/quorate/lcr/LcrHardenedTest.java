package io.quorate.lcr;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * docs/algorithms/lcr.md#hardened, with K1 to K8 of docs/algorithms/common.md#hardening-rules. What the token ring does
 * as well stands in {@code RingHardenedTest}.
 */
class LcrHardenedTest {

    private static final Options WITH_Q = new Options(Variant.HARDENED, true, false);
    private static final Options WITH_P = new Options(Variant.HARDENED, false, true);

    private static Machine process(int id, int size) {
        return process(id, size, Options.HARDENED);
    }

    private static Machine process(int id, int size, Options options) {
        return new Machine(
                LcrAlgorithm.create(Membership.of(id - 1, size), new Timing(10), options, LcrRules.DEFAULT),
                new LcrNotation(Variant.HARDENED));
    }

    /** The highest of three, elected in term 1. */
    private static Machine leader3() {
        Machine p3 = process(3, 3);
        p3.after("start", "PROBE(3,(1,1),0,3) from 2");
        assertThat(p3.leader()).isEqualTo(3);
        return p3;
    }

    @Test
    void configuredLeaderIsFollowedWithoutAnElection() {
        Machine p1 = process(1, 3);
        assertThat(p1.on("start leader=3")).containsExactly("set HB=30");
        assertThat(p1.leader()).isEqualTo(3);
        // (0, 3) is what it follows already.
        assertThat(p1.on("SELECTED(3,0,0,1) from 3")).containsExactly("SELECTED(3,0,0,2) ->2");
    }

    @Test
    void singleProcessElectsItself() {
        Machine p1 = process(1, 1);
        assertThat(p1.on("start")).containsExactlyInAnyOrder("set HB=10", "PROBE(1,(1,1),0,1) ->1", "set TR=40");
        assertThat(p1.on("PROBE(1,(1,1),0,1) from 1"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 1 1", "SELECTED(1,1,1,1) ->1");
        assertThat(p1.on("SELECTED(1,1,1,1) from 1")).isEmpty();
    }

    @Test
    void lastSurvivorElectsItself() {
        Machine p1 = process(1, 3);
        p1.after("start", "suspect(2)");
        assertThat(p1.on("suspect(3)")).containsExactlyInAnyOrder("PROBE(1,(1,3),0,1) ->1", "set TR=100");
        assertThat(p1.on("PROBE(1,(1,3),0,1) from 1")).contains("LEADER 1 1");
    }

    @Test
    void suspicionOfTheOldLeaderDuringAnElectionAlsoDropsIt() {
        Machine p1 = process(1, 4);
        p1.after("start leader=3", "PROBE(4,(1,1),0,1) from 4");
        assertThat(p1.on("suspect(3)")).containsExactlyInAnyOrder("LEADER -", "PROBE(1,(1,1),0,1) ->2", "set TR=130");
    }

    // Decision 1: without its own PROBE nobody would win if the lower one stops here.
    @Test
    void probeOfALowerProcessMakesAFollowerSendItsOwn() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start leader=3", "PROBE(1,(1,1),0,1) from 1"))
                .containsExactlyInAnyOrder("PROBE(2,(1,1),0,1) ->3", "set TR=100");
        assertThat(p2.leader()).isEqualTo(3);
        assertThat(p2.on("PROBE(1,(1,1),0,1) from 1")).isEmpty();
    }

    // Decision 1: Chang and Roberts' cheaper variant.
    @Test
    void probeOfAHigherProcessIsForwardedWithoutTheOwn() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=2", "PROBE(3,(4,2),5,1) from 3"))
                .containsExactlyInAnyOrder("PROBE(3,(4,2),5,2) ->2", "set TR=100");
        assertThat(p1.election().isParticipating()).isTrue();
        assertThat(p1.on("PROBE(3,(4,2),0,1) from 3")).containsExactly("PROBE(3,(4,2),5,2) ->2");
    }

    // Quirk 9: purge of dead identifiers.
    @Test
    void probeOfASuspectedProcessIsDropped() {
        Machine p1 = process(1, 4);
        p1.after("start leader=2", "suspect(3)");
        assertThat(p1.on("PROBE(3,(1,1),0,1) from 4")).isEmpty();
        assertThat(p1.election().isParticipating()).isFalse();
    }

    // Quirk 9, where nobody suspects the owner: it would come back to itself within N hops.
    @Test
    void probeThatHasGoneRoundIsDropped() {
        Machine p1 = process(1, 3);
        p1.on("start");
        assertThat(p1.on("PROBE(2,(1,1),0,2) from 3")).containsExactly("PROBE(2,(1,1),0,3) ->2");
        assertThat(p1.on("PROBE(2,(1,1),0,3) from 3")).isEmpty();
        assertThat(p1.on("PROBE(2,(1,1),0,60000) from 3")).isEmpty();
    }

    // K2 and decision 4: the invariant Participating is kept.
    @Test
    void ownProbeWinsWithATermAboveAllSeen() {
        Machine p3 = process(3, 3);
        p3.on("start");
        assertThat(p3.on("PROBE(3,(1,1),6,3) from 2"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 3 7", "SELECTED(3,7,7,1) ->1");
        assertThat(p3.election().isParticipating()).isFalse();
    }

    @Test
    void leaderAnswersALowerProbeWithItsVictory() {
        assertThat(leader3().on("PROBE(1,(1,1),0,2) from 2")).containsExactly("SELECTED(3,1,1,1) ->1");
        assertThat(leader3().on("PROBE(1,(1,1),4,2) from 2"))
                .containsExactlyInAnyOrder("LEADER 3 5", "SELECTED(3,5,5,1) ->1");
    }

    @Test
    void leaderStepsDownForAHigherProbe() {
        Machine p2 = process(2, 3);
        p2.after("start", "PROBE(2,(1,1),0,3) from 1");
        assertThat(p2.on("PROBE(3,(1,1),0,2) from 1"))
                .containsExactlyInAnyOrder("LEADER -", "set TR=100", "PROBE(3,(1,1),1,3) ->3");
    }

    // Pitfall: (term, id) must not decide the race of the PROBEs, or a lower process with a higher term would win.
    @Test
    void termsDoNotDecideBetweenProbes() {
        Machine p2 = process(2, 3);
        p2.on("start");
        assertThat(p2.on("PROBE(1,(1,1),9,1) from 1")).isEmpty();
        assertThat(p2.on("PROBE(3,(1,1),0,2) from 1")).containsExactly("PROBE(3,(1,1),9,3) ->3");
    }

    @Test
    void ownSelectedThatComesBackEndsTheSecondPhase() {
        assertThat(leader3().on("SELECTED(3,1,1,3) from 2")).isEmpty();
        assertThat(process(3, 3).after("start", "SELECTED(3,1,1,3) from 2")).isEmpty();
    }

    // K2: somebody did not accept it and said which term it wants.
    @Test
    void ownSelectedWithAHigherTermIsRepeatedAboveIt() {
        assertThat(leader3().on("SELECTED(3,1,5,3) from 2"))
                .containsExactlyInAnyOrder("LEADER 3 6", "SELECTED(3,6,6,1) ->1");
    }

    @Test
    void selectedOfASuspectedProcessIsDropped() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=2", "suspect(3)", "SELECTED(3,4,4,1) from 3"))
                .isEmpty();
        assertThat(p1.leader()).isEqualTo(2);
    }

    @Test
    void selectedThatHasGoneRoundIsDropped() {
        Machine p1 = process(1, 3);
        p1.on("start leader=2");
        assertThat(p1.on("SELECTED(3,4,4,3) from 3")).isEmpty();
        assertThat(p1.leader()).isEqualTo(2);
    }

    @Test
    void selectedIsIndicatedOnlyIfLeaderOrTermChange() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start", "SELECTED(3,1,1,1) from 4"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 3 1", "SELECTED(3,1,1,2) ->2");
        assertThat(p1.on("SELECTED(3,1,1,1) from 4")).containsExactly("SELECTED(3,1,1,2) ->2");
        assertThat(p1.on("SELECTED(3,2,2,1) from 4")).containsExactlyInAnyOrder("LEADER 3 2", "SELECTED(3,2,2,2) ->2");
        assertThat(p1.on("SELECTED(4,2,2,1) from 4")).containsExactlyInAnyOrder("LEADER 4 2", "SELECTED(4,2,2,2) ->2");
    }

    // K2: with seen.term alone the owner would not see that anybody wants more.
    @Test
    void staleSelectedIsForwardedWithADemandForAHigherTerm() {
        Machine p1 = process(1, 4);
        p1.after("start", "SELECTED(4,5,5,1) from 4");
        assertThat(p1.on("SELECTED(3,5,5,1) from 4")).containsExactly("SELECTED(3,5,6,2) ->2");
        assertThat(p1.on("SELECTED(3,2,2,1) from 4")).containsExactly("SELECTED(3,2,6,2) ->2");
        assertThat(p1.leader()).isEqualTo(4);
    }

    @Test
    void leaderAnswersALowerLeaderOnlyIfItsFollowersWouldNotListen() {
        assertThat(leader3().on("SELECTED(2,1,1,1) from 2")).isEmpty();
        assertThat(leader3().on("SELECTED(2,2,2,1) from 2"))
                .containsExactlyInAnyOrder("LEADER 3 3", "SELECTED(3,3,3,1) ->1");
    }

    // Source 001: nobody may lead past a higher process.
    @Test
    void selectedOfALowerProcessStopsAndStartsAnElection() {
        Machine p3 = process(3, 4);
        assertThat(p3.after("start leader=2", "SELECTED(1,1,1,2) from 2"))
                .containsExactlyInAnyOrder("PROBE(3,(1,1),1,1) ->4", "set TR=130");
        // In an election already, and below a higher leader, it only stops.
        assertThat(p3.on("SELECTED(1,1,1,2) from 2")).isEmpty();
        assertThat(process(2, 3).after("start leader=3", "SELECTED(1,1,1,1) from 1"))
                .isEmpty();
    }

    // K2: both terms of a message count, also of one that is dropped.
    @Test
    void termOfAnIgnoredMessageIsMergedAsWell() {
        Machine p3 = process(3, 3);
        p3.after("start", "PROBE(1,(1,1),4,2) from 2");
        assertThat(p3.on("timer TR")).contains("PROBE(3,(1,2),4,1) ->1");
        p3.on("SELECTED(1,7,0,2) from 2");
        assertThat(p3.on("timer TR")).contains("PROBE(3,(1,3),7,1) ->1");
        p3.on("SELECTED(1,0,9,2) from 2");
        assertThat(p3.on("timer TR")).contains("PROBE(3,(1,4),9,1) ->1");
    }

    // K3; every process keeps the timer running.
    @Test
    void leaderRepeatsItsVictory() {
        assertThat(leader3().on("timer HB")).containsExactlyInAnyOrder("SELECTED(3,1,1,1) ->1", "set HB=30");
        assertThat(process(1, 3).after("start leader=3", "timer HB")).containsExactly("set HB=30");
    }

    // K6: two of four are no majority.
    @Test
    void leaderWithoutAMajorityStepsDownAndComesBackWithOne() {
        Machine p4 = process(4, 4, WITH_Q);
        p4.after("start", "PROBE(4,(1,1),0,4) from 3");
        assertThat(p4.on("suspect(1)")).isEmpty();
        assertThat(p4.on("suspect(2)")).containsExactlyInAnyOrder("LEADER -", "PROBE(4,(1,2),1,1) ->3", "set TR=130");
        assertThat(p4.on("PROBE(4,(1,2),1,2) from 3")).containsExactly("set TR=130");
        assertThat(p4.election().isParticipating()).isTrue();
        assertThat(p4.on("restore(1)")).isEmpty();
        assertThat(p4.after("timer TR", "PROBE(4,(1,3),1,3) from 3"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 4 2", "SELECTED(4,2,2,1) ->1");
    }

    @Test
    void withoutOptionQNobodyCountsItsSuspects() {
        Machine p1 = process(1, 3);
        p1.after("start", "suspect(2)", "suspect(3)");
        assertThat(p1.on("PROBE(1,(1,3),0,1) from 1")).contains("LEADER 1 1");
    }

    // K7.
    @Test
    void termAndVictoryAreSavedWheneverTheyChange() {
        Machine p1 = process(1, 3, WITH_P);
        p1.on("start");
        Event.Saved merged = p1.savedBy("PROBE(2,(1,1),3,1) from 3");
        Event.Saved accepted = p1.savedBy("SELECTED(3,3,3,1) from 3");
        assertThat(merged).isNotEqualTo(accepted);
        assertThat(p1.on("SELECTED(3,3,3,1) from 3")).containsExactly("SELECTED(3,3,3,2) ->2");
        Machine secondLife = process(1, 3, WITH_P);
        secondLife.on(new Event.Start(2, accepted, OptionalInt.empty()));
        assertThat(secondLife.on("SELECTED(3,2,2,1) from 3")).contains("SELECTED(3,2,4,2) ->2");
    }

    // A peer cannot make a term so high that the next one overflows.
    @Test
    void highestTermLeavesRoomForTheNext() {
        Machine p3 = process(3, 3);
        p3.on("start");
        assertThat(p3.on(new Event.Received(1, new LcrMessage.Selected(0, WireReader.NUMBER_MAX, 0, 1))))
                .isEmpty();
        assertThat(p3.on("PROBE(3,(1,1),0,3) from 2")).contains("LEADER 3 " + (WireReader.NUMBER_MAX + 1));
    }
}
