package io.quorate.tokenring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * docs/algorithms/token-ring.md#hardened, with K1 to K8 of docs/algorithms/common.md#hardening-rules. What LCR does as
 * well stands in {@code RingHardenedTest}.
 */
class TokenRingHardenedTest {

    private static final Options WITH_Q = new Options(Variant.HARDENED, true, false);
    private static final Options WITH_P = new Options(Variant.HARDENED, false, true);

    private static Machine process(int id, int size) {
        return process(id, size, Options.HARDENED);
    }

    private static Machine process(int id, int size, Options options) {
        return new Machine(
                new TokenRingAlgorithm().create(Membership.of(id - 1, size), new Timing(10), options),
                new TokenRingNotation(Variant.HARDENED));
    }

    private static List<Integer> ring(Machine machine) {
        return TokenRingNotation.ring(machine.election());
    }

    /** The highest of three, elected in term 1 by its own token. */
    private static Machine leader3() {
        Machine p3 = process(3, 3);
        p3.after("start", "ELECTION((3,1,2),(1,1),0) from 2");
        assertThat(p3.leader()).isEqualTo(3);
        return p3;
    }

    @Test
    void configuredLeaderIsFollowedWithoutAnElection() {
        Machine p1 = process(1, 3);
        assertThat(p1.on("start leader=2")).containsExactly("set HB=30");
        assertThat(p1.leader()).isEqualTo(2);
        // What a configured leader announces, without a closer, is what is followed already.
        Machine p2 = process(2, 3);
        p2.on("start leader=2");
        assertThat(p2.on("timer HB")).containsExactlyInAnyOrder("COORDINATOR(2,(1,2,3),0,0,(2)) ->3", "set HB=30");
        assertThat(p1.on("COORDINATOR(2,(1,2,3),0,0,(2,3)) from 3"))
                .containsExactly("COORDINATOR(2,(1,2,3),0,0,(2,3,1)) ->2");
    }

    @Test
    void singleProcessElectsItself() {
        Machine p1 = process(1, 1);
        assertThat(p1.on("start")).containsExactlyInAnyOrder("set HB=10", "set TR=30", "ELECTION((1),(1,1),0) ->1");
        assertThat(p1.on("ELECTION((1),(1,1),0) from 1")).containsExactlyInAnyOrder("cancel TR", "LEADER 1 1");
        assertThat(p1.on("timer HB")).containsExactly("set HB=10");
    }

    @Test
    void lastSurvivorElectsItself() {
        Machine p1 = process(1, 3);
        p1.after("start", "suspect(2)");
        assertThat(p1.on("suspect(3)")).containsExactlyInAnyOrder("set TR=70", "ELECTION((1),(1,3),0) ->1");
        assertThat(p1.on("ELECTION((1),(1,3),0) from 1")).containsExactlyInAnyOrder("cancel TR", "LEADER 1 1");
    }

    @Test
    void processThatIsNotInTheListAddsItselfAndSetsARetry() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=2", "ELECTION((2,3),(4,2),5) from 3"))
                .containsExactlyInAnyOrder("set TR=70", "ELECTION((2,3,1),(4,2),5) ->2");
        assertThat(p1.election().isParticipating()).isTrue();
        assertThat(p1.on("ELECTION((3),(1,1),0) from 3")).containsExactly("ELECTION((3,1),(1,1),5) ->2");
    }

    // K2.
    @Test
    void initiatorClosesItsListWithATermAboveAllSeen() {
        Machine p2 = process(2, 3);
        p2.on("start");
        assertThat(p2.on("ELECTION((2,3,1),(1,1),6) from 1"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 3 7", "COORDINATOR(3,(2,3,1),7,2,(2)) ->3");
        assertThat(ring(p2)).containsExactly(1, 2, 0);
        assertThat(p2.election().isParticipating()).isFalse();
    }

    // Decision 1: the attempt is that of the initiator, which is dead.
    @Test
    void tokenOfADeadInitiatorIsClosedByTheNextMember() {
        Machine p1 = process(1, 3);
        p1.after("start leader=2", "ELECTION((3),(9,9),0) from 3");
        assertThat(p1.on("ELECTION((3,1,2),(9,9),0) from 2")).contains("LEADER 3 1");
    }

    // Weakness (a).
    @Test
    void suspectedMembersAreLeftOutOfTheRing() {
        Machine p1 = process(1, 4);
        p1.after("start", "suspect(4)");
        assertThat(p1.on("ELECTION((1,2,3,4),(1,2),0) from 3"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 3 1", "COORDINATOR(3,(1,2,3),1,1,(1)) ->2");
        assertThat(ring(p1)).containsExactly(0, 1, 2);
    }

    @Test
    void leaderStepsDownIfAHigherProcessIsInTheList() {
        Machine p2 = process(2, 3);
        p2.after("start", "suspect(3)", "ELECTION((2,1),(1,2),0) from 1", "ELECTION((1),(1,1),0) from 1");
        assertThat(p2.leader()).isEqualTo(2);
        // A dead one does not count.
        assertThat(p2.on("ELECTION((3,1),(1,1),0) from 1")).containsExactly("ELECTION((3,1,2),(1,1),1) ->1");
        assertThat(p2.after("restore(3)", "ELECTION((3,1),(1,1),0) from 1"))
                .containsExactlyInAnyOrder("LEADER -", "ELECTION((3,1,2),(1,1),1) ->3");
        assertThat(p2.leader()).isZero();
    }

    // K1, where the old leader is in the list of a token that this process closes without it.
    @Test
    void closerNeedNotBeTheLeader() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "ELECTION((1,2,3),(1,1),0) from 3"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 3 1", "COORDINATOR(3,(1,2,3),1,1,(1)) ->2");
        // It does not repeat what the leader will repeat.
        assertThat(p1.on("timer HB")).containsExactly("set HB=30");
    }

    @Test
    void coordinatorIsIndicatedOnlyIfLeaderTermOrCloserChange() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start", "COORDINATOR(3,(1,2,3),1,2,(2)) from 4"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 3 1", "COORDINATOR(3,(1,2,3),1,2,(2,1)) ->2");
        assertThat(p1.on("COORDINATOR(3,(1,2,3),1,2,(2)) from 4"))
                .containsExactly("COORDINATOR(3,(1,2,3),1,2,(2,1)) ->2");
        assertThat(p1.on("COORDINATOR(3,(1,3),1,3,(3)) from 4")).contains("LEADER 3 1");
        assertThat(p1.on("COORDINATOR(4,(1,4),1,1,(4)) from 4")).contains("LEADER 4 1");
        assertThat(p1.on("COORDINATOR(3,(1,3),2,1,(3)) from 4")).contains("LEADER 3 2");
    }

    // Pitfall: otherwise two processes would keep different rings for the same leader and term.
    @Test
    void closerDecidesBetweenRingsOfOneLeaderAndTerm() {
        Machine p1 = process(1, 4);
        p1.after("start", "COORDINATOR(3,(1,2,3),1,2,(2)) from 4");
        assertThat(p1.on("COORDINATOR(3,(1,3),1,1,(3)) from 4")).isEmpty();
        assertThat(ring(p1)).containsExactly(0, 1, 2);
        p1.on("COORDINATOR(3,(1,3),1,3,(3)) from 4");
        assertThat(ring(p1)).containsExactly(0, 2);
    }

    // Weakness (b).
    @Test
    void coordinatorEndsAtItsSecondVisit() {
        Machine p1 = process(1, 4);
        p1.on("start leader=3");
        assertThat(p1.on("COORDINATOR(4,(1,2,4),1,2,(2,1)) from 4")).isEmpty();
        assertThat(p1.leader()).isEqualTo(3);
    }

    // Weakness (a), as a receiver. Deviation 1: the election waits for TR, however often a COORDINATOR comes.
    @Test
    void coordinatorForASuspectedLeaderIsAnsweredByAnElection() {
        Machine p1 = process(1, 4);
        p1.after("start leader=3", "suspect(4)");
        assertThat(p1.on("COORDINATOR(4,(1,2,4),1,2,(2)) from 3")).containsExactly("set TR=90");
        assertThat(p1.on("COORDINATOR(4,(1,2,4),1,2,(2)) from 3")).isEmpty();
        assertThat(p1.on("COORDINATOR(4,(1,2,4),2,2,(2)) from 3")).isEmpty();
        assertThat(p1.leader()).isEqualTo(3);
        assertThat(p1.on("timer TR")).containsExactlyInAnyOrder("set TR=90", "ELECTION((1),(1,1),2) ->2");
    }

    // Deviation 1: an election of somebody else is enough.
    @Test
    void anObjectionIsForgottenWhenAnElectionEnds() {
        Machine p1 = process(1, 4);
        p1.after("start leader=3", "suspect(4)", "COORDINATOR(4,(1,2,4),1,2,(2)) from 3");
        assertThat(p1.on("COORDINATOR(3,(1,2,3),2,2,(2,3)) from 3")).contains("cancel TR");
        assertThat(p1.leader()).isEqualTo(3);
    }

    // K2: the followers of the leader have seen a later victory.
    @Test
    void staleCoordinatorIsAnsweredByAnElectionOfTheLeaderOnly() {
        Machine p1 = process(1, 4);
        p1.after("start", "COORDINATOR(4,(1,4),5,1,(4)) from 4");
        assertThat(p1.on("COORDINATOR(3,(1,3),5,3,(3)) from 4")).isEmpty();
        assertThat(p1.leader()).isEqualTo(4);
        Machine p3 = process(3, 4);
        p3.after("start", "ELECTION((3,1,2),(1,1),5) from 2");
        assertThat(p3.on("COORDINATOR(4,(1,3,4),5,4,(4)) from 2")).containsExactly("set TR=90");
        assertThat(p3.on("timer TR")).contains("ELECTION((3),(1,2),6) ->4");
    }

    @Test
    void coordinatorForALowerLeaderIsAnsweredByAnElection() {
        Machine p3 = process(3, 4);
        assertThat(p3.after("start leader=4", "COORDINATOR(2,(1,2,3),1,1,(1,2)) from 2"))
                .containsExactly("set TR=90");
        assertThat(p3.leader()).isEqualTo(4);
        assertThat(p3.on("timer TR")).contains("ELECTION((3),(1,1),1) ->4");
    }

    @Test
    void processThatIsNotInTheRingOfACoordinatorInitiatesAndForwardsIt() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start leader=3", "COORDINATOR(4,(4,2),1,2,(2)) from 4"))
                .containsExactlyInAnyOrder("set TR=90", "COORDINATOR(4,(4,2),1,2,(2,1)) ->2");
        assertThat(p1.leader()).isEqualTo(3);
        assertThat(p1.on("timer TR")).contains("ELECTION((1),(1,1),1) ->2");
    }

    // K2: also the term of a message that is dropped.
    @Test
    void termOfAnIgnoredMessageIsMergedAsWell() {
        Machine p3 = process(3, 3);
        p3.after("start", "ELECTION((3,1,2),(1,9),4) from 2");
        assertThat(p3.on("timer TR")).contains("ELECTION((3),(1,2),4) ->1");
        p3.on("COORDINATOR(3,(3,1,2),7,2,(2,3)) from 2");
        assertThat(p3.on("timer TR")).contains("ELECTION((3),(1,3),7) ->1");
    }

    // K3; every process keeps the timer running; a leader that takes part in an election is silent.
    @Test
    void leaderRepeatsItsVictory() {
        Machine p3 = leader3();
        assertThat(p3.on("timer HB")).containsExactlyInAnyOrder("COORDINATOR(3,(3,1,2),1,3,(3)) ->1", "set HB=30");
        p3.on("ELECTION((1,2),(1,1),0) from 2");
        assertThat(p3.on("timer HB")).containsExactly("set HB=30");
        assertThat(process(1, 3).after("start leader=3", "timer HB")).containsExactly("set HB=30");
    }

    // Weakness (d).
    @Test
    void leaderCountsTheRingAgainWhenAProcessComesBack() {
        Machine p3 = leader3();
        assertThat(p3.on("suspect(1)")).isEmpty();
        assertThat(p3.on("restore(1)")).containsExactlyInAnyOrder("set TR=70", "ELECTION((3),(1,2),1) ->1");
        assertThat(p3.leader()).isEqualTo(3);
        assertThat(leader3().on("restore(1)")).as("was never suspected").isEmpty();
        assertThat(process(1, 3).after("start leader=3", "suspect(2)", "restore(2)"))
                .as("does not lead")
                .isEmpty();
    }

    // K6: two of four are no majority.
    @Test
    void leaderWithoutAMajorityStepsDownAndComesBackWithOne() {
        Machine p4 = process(4, 4, WITH_Q);
        p4.after("start", "ELECTION((4,1,2,3),(1,1),0) from 3");
        assertThat(p4.on("suspect(1)")).isEmpty();
        assertThat(p4.on("suspect(2)")).containsExactlyInAnyOrder("LEADER -", "set TR=90", "ELECTION((4),(1,2),1) ->3");
        assertThat(p4.on("ELECTION((4,3),(1,2),1) from 3")).isEmpty();
        assertThat(p4.election().isParticipating()).isTrue();
        assertThat(p4.on("restore(1)")).isEmpty();
        assertThat(p4.after("timer TR", "ELECTION((4,1,3),(1,3),1) from 3"))
                .containsExactlyInAnyOrder("cancel TR", "LEADER 4 2", "COORDINATOR(4,(4,1,3),2,4,(4)) ->1");
    }

    @Test
    void withoutOptionQNobodyCountsTheRing() {
        Machine p4 = process(4, 4);
        p4.after("start", "suspect(1)", "suspect(2)");
        assertThat(p4.on("ELECTION((4,3),(1,3),0) from 3")).contains("LEADER 4 1");
    }

    // K7.
    @Test
    void termAndVictoryAreSavedWheneverTheyChange() {
        Machine p1 = process(1, 3, WITH_P);
        p1.on("start");
        Event.Saved merged = p1.savedBy("ELECTION((2,3),(1,1),3) from 3");
        Event.Saved accepted = p1.savedBy("COORDINATOR(3,(2,3,1),3,2,(2,3)) from 3");
        assertThat(merged).isNotEqualTo(accepted);
        assertThat(p1.on("COORDINATOR(3,(2,3,1),3,2,(2,3)) from 3"))
                .containsExactly("COORDINATOR(3,(2,3,1),3,2,(2,3,1)) ->2");
        Machine secondLife = process(1, 3, WITH_P);
        secondLife.on(new Event.Start(2, accepted, OptionalInt.empty()));
        assertThat(secondLife.on("COORDINATOR(3,(2,3,1),2,2,(2,3)) from 3"))
                .as("stale")
                .isEmpty();
        assertThat(secondLife.on("COORDINATOR(3,(2,3,1),3,1,(2,3)) from 3"))
                .as("lower closer")
                .isEmpty();
    }
}
