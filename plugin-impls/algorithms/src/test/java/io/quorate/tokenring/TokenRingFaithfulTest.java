package io.quorate.tokenring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Foreign;
import io.quorate.algorithms.Machine;
import io.quorate.ring.Attempt;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.tokenring.TokenRingMessage.Coordinator;
import io.quorate.tokenring.TokenRingMessage.Election;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * docs/algorithms/token-ring.md#faithful: source 004, decisions 1 to 4, and weaknesses that one process shows. What LCR
 * does as well stands in {@code RingFaithfulTest}.
 */
class TokenRingFaithfulTest {

    private static Machine process(int id, int size) {
        return process(id, size, Options.FAITHFUL);
    }

    private static Machine process(int id, int size, Options options) {
        return new Machine(
                new TokenRingAlgorithm().create(Membership.of(id - 1, size), new Timing(10), options),
                new TokenRingNotation(options.variant()));
    }

    private static List<Integer> ring(Machine machine) {
        return TokenRingNotation.ring(machine.election());
    }

    @Test
    void processThatIsNotInTheListAddsItself() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start leader=4", "ELECTION((2,3)) from 3")).containsExactly("ELECTION((2,3,1)) ->2");
        assertThat(p1.election().isParticipating()).isTrue();
        // Once more for each initiator.
        assertThat(p1.on("ELECTION((3)) from 3")).containsExactly("ELECTION((3,1)) ->2");
    }

    // Source 004: any process that notices sends an ELECTION, whatever it has forwarded or sent before.
    @Test
    void processThatHasForwardedAListSendsItsOwnWhenItNotices() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start leader=4", "ELECTION((3)) from 3")).containsExactly("ELECTION((3,1)) ->2");
        assertThat(p1.on("suspect(4)")).containsExactly("ELECTION((1)) ->2");
        assertThat(p1.after("restore(4)", "suspect(4)")).containsExactly("ELECTION((1)) ->2");
    }

    // Decision 4: the highest in the list leads, and the list is the new ring.
    @Test
    void initiatorClosesItsListAndAnnouncesTheHighest() {
        Machine p2 = process(2, 4);
        assertThat(p2.after("start", "ELECTION((2,3,1)) from 1"))
                .containsExactlyInAnyOrder("LEADER 3 (2,3,1)", "COORDINATOR((2,3,1),2) ->3");
        assertThat(p2.leader()).isEqualTo(3);
        assertThat(ring(p2)).containsExactly(1, 2, 0);
        assertThat(p2.election().isParticipating()).isFalse();
    }

    // Decision 1: not only at the head; otherwise a list whose initiator died would grow for ever.
    @Test
    void anybodyWhoFindsItselfInTheListClosesIt() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start leader=4", "ELECTION((3)) from 3")).containsExactly("ELECTION((3,1)) ->2");
        assertThat(p1.on("ELECTION((3,1,2)) from 2"))
                .containsExactlyInAnyOrder("LEADER 3 (3,1,2)", "COORDINATOR((3,1,2),1) ->2");
    }

    // Pitfall: the successor is looked for among all, or a process that comes back could never take part again.
    @Test
    void processOutsideTheLastRingIsASuccessorAgain() {
        Machine p1 = process(1, 3);
        p1.after("start leader=3", "suspect(2)", "COORDINATOR((3,1),3) from 3");
        assertThat(ring(p1)).containsExactly(2, 0);
        assertThat(p1.after("restore(2)", "suspect(3)")).containsExactly("ELECTION((1)) ->2");
    }

    // Decision 3.
    @Test
    void coordinatorIsAdoptedForwardedAndRemovedByItsStarter() {
        Machine p1 = process(1, 4);
        p1.on("start");
        assertThat(p1.on("COORDINATOR((2,3,1),2) from 3"))
                .containsExactlyInAnyOrder("LEADER 3 (2,3,1)", "COORDINATOR((2,3,1),2) ->2");
        assertThat(p1.leader()).isEqualTo(3);
        assertThat(ring(p1)).containsExactly(1, 2, 0);
        assertThat(p1.election().isParticipating()).isFalse();
        assertThat(p1.on("COORDINATOR((2,3,1),1) from 3")).isEmpty();
    }

    // Participating is no property of this algorithm: the leader takes part in every election.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void leaderTakesPartInElections(Variant variant) {
        Machine p3 = process(3, 3, new Options(variant, false, false));
        p3.after(
                "start leader=3",
                variant == Variant.FAITHFUL ? "ELECTION((2)) from 2" : "ELECTION((2),(1,1),0) from 2");
        assertThat(p3.leader()).isEqualTo(3);
        assertThat(p3.election().isParticipating()).isTrue();
    }

    // Weakness (a): nothing takes the dead out of the list.
    @Test
    void suspectedMemberOfTheListIsElected() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start", "suspect(3)", "ELECTION((1,2,3)) from 2")).contains("LEADER 3 (1,2,3)");
        assertThat(p1.on("COORDINATOR((2,3,1),2) from 3")).contains("LEADER 3 (2,3,1)");
    }

    // Weakness (b): only its starter would stop it.
    @Test
    void coordinatorOfADeadStarterIsForwardedEveryTime() {
        Machine p1 = process(1, 4);
        p1.after("start", "suspect(2)");
        for (int pass = 0; pass < 3; pass++) {
            assertThat(p1.on("COORDINATOR((2,3,1),2) from 3")).contains("COORDINATOR((2,3,1),2) ->3");
        }
    }

    // Weakness (d).
    @Test
    void processThatComesBackIsNotInTheRing() {
        Machine p3 = process(3, 3);
        p3.after("start", "suspect(2)", "ELECTION((3,1)) from 1");
        assertThat(p3.on("restore(2)")).isEmpty();
        assertThat(ring(p3)).containsExactly(2, 0);
    }

    @Test
    void singleProcessElectsItself() {
        Machine p1 = process(1, 1);
        assertThat(p1.on("start")).containsExactly("ELECTION((1)) ->1");
        assertThat(p1.on("ELECTION((1)) from 1")).containsExactly("LEADER 1 (1)");
    }

    private static List<Message> nonsense() {
        Attempt attempt = new Attempt(1, 1);
        Victory victory = new Victory(9, 2, 0);
        return List.of(
                new Foreign(),
                new Election(List.of(), attempt, 9),
                new Election(List.of(3), attempt, 9),
                new Election(List.of(0, 0), attempt, 9),
                new Election(List.of(0, 1, 2, 0), attempt, 9),
                new Coordinator(victory, List.of(), List.of()),
                new Coordinator(victory, List.of(0, 1), List.of()),
                new Coordinator(victory, List.of(2, 1, 2), List.of()),
                new Coordinator(victory, List.of(2, 3), List.of()),
                new Coordinator(victory, List.of(2, 1), List.of(3)),
                new Coordinator(victory, List.of(2, 1), List.of(0, 0)),
                new Coordinator(new Victory(9, -1, 0), List.of(2, 1), List.of()),
                new Coordinator(new Victory(9, 3, 0), List.of(2, 1, 3), List.of()),
                new Coordinator(new Victory(9, 2, 3), List.of(2, 1), List.of()));
    }

    // Peer input is never an exception: from nobody, of another algorithm, or with lists that no ring can give.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void messagesThatMakeNoSenseAreIgnored(Variant variant) {
        Machine p2 = process(2, 3, new Options(variant, false, false));
        p2.on("start");
        Object state = p2.election().snapshot();
        for (int from : new int[] {-1, 3, 1000}) {
            assertThat(p2.on(new Event.Received(from, new Election(List.of(0), new Attempt(1, 1), 9))))
                    .isEmpty();
        }
        for (Message message : nonsense()) {
            assertThat(p2.on(new Event.Received(0, message))).as("%s", message).isEmpty();
        }
        assertThat(p2.after("suspect(2)", "suspect(0)", "suspect(9)", "restore(9)"))
                .isEmpty();
        // None of their terms was taken over.
        assertThat(p2.election().snapshot()).isEqualTo(state);
    }
}
