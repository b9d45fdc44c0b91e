package io.quorate.lcr;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Foreign;
import io.quorate.algorithms.Machine;
import io.quorate.lcr.LcrMessage.Probe;
import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.lcr.LcrRules.Join;
import io.quorate.ring.Attempt;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * docs/algorithms/lcr.md#faithful: the handlers of source 001 and source 003, and quirks that one process shows. What the
 * token ring does as well stands in {@code RingFaithfulTest}.
 */
class LcrFaithfulTest {

    private static final LcrRules FLAG = new LcrRules(Join.FLAG, false);

    private static Machine process(int id, int size) {
        return process(Membership.of(id - 1, size), LcrRules.DEFAULT);
    }

    private static Machine process(Membership membership, LcrRules rules) {
        return new Machine(
                LcrAlgorithm.create(membership, new Timing(10), Options.FAITHFUL, rules),
                new LcrNotation(Variant.FAITHFUL));
    }

    // Quirk 5: 001 compares as the neighbour, and has no action for a lower identifier.
    @Test
    void higherIdIsForwardedAndALowerOneDiscarded() {
        Machine p2 = process(2, 3);
        p2.on("start");
        assertThat(p2.on("PROBE(3) from 1")).containsExactly("PROBE(3) ->3");
        assertThat(p2.on("PROBE(1) from 1")).isEmpty();
    }

    @Test
    void ownIdThatComesBackWins() {
        Machine p3 = process(3, 3);
        assertThat(p3.after("start", "PROBE(3) from 2")).containsExactlyInAnyOrder("SELECTED(3) ->1", "LEADER 3");
        assertThat(p3.leader()).isEqualTo(3);
    }

    // Quirk 5: 001's model does not forward SELECTED, so that only the next process learns.
    @Test
    void selectedIsAdoptedAndForwarded() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "SELECTED(3) from 3")).containsExactlyInAnyOrder("LEADER 3", "SELECTED(3) ->2");
        assertThat(p1.leader()).isEqualTo(3);
        assertThat(p1.election().isParticipating()).isFalse();
    }

    // Quirk 1: with the rule of 003 nobody's PROBE is swallowed by a process that has not sent its own.
    @Test
    void processThatJoinsSendsItsOwnIdFirst() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start leader=3", "PROBE(1) from 1")).containsExactly("PROBE(2) ->3");
        Machine other = process(2, 3);
        assertThat(other.after("start leader=3", "PROBE(3) from 1")).containsExactly("PROBE(2) ->3", "PROBE(3) ->3");
    }

    // Quirk 1: with the rule of 001 a lower initiator is swallowed, and whoever was flagged never starts.
    @Test
    void processThatIsOnlyFlaggedSwallowsAndNeverStarts() {
        Machine p2 = process(Membership.of(1, 3), FLAG);
        assertThat(p2.after("start leader=3", "PROBE(1) from 1")).isEmpty();
        assertThat(p2.election().isParticipating()).isTrue();
        assertThat(p2.on("suspect(3)")).isEmpty();
    }

    // By Participating of source 001, a process does not begin a second election.
    @Test
    void suspicionOfTheLeaderDuringAnElectionStartsNoOther() {
        Machine p1 = process(1, 4);
        assertThat(p1.after("start leader=4", "PROBE(3) from 4", "suspect(4)")).isEmpty();
    }

    // Quirk 2, decided: the second phase ends at the leader. The literal 003 goes on (LcrHarmonyTest, LcrMessagesTest).
    @Test
    void ownSelectedThatComesBackIsResentByTheLiteralProgramOnly() {
        assertThat(process(3, 3).after("start", "PROBE(3) from 2", "SELECTED(3) from 2"))
                .isEmpty();
        Machine literal = process(Membership.of(2, 3), new LcrRules(Join.START, true));
        assertThat(literal.after("start", "PROBE(3) from 2", "SELECTED(3) from 2"))
                .containsExactly("SELECTED(3) ->1");
    }

    // Quirk 3: the document compares nothing when found is True.
    @Test
    void selectedOfALowerProcessIsAdopted() {
        Machine p3 = process(3, 3);
        assertThat(p3.after("start", "SELECTED(2) from 2")).containsExactlyInAnyOrder("LEADER 2", "SELECTED(2) ->1");
    }

    // Quirk 4: the invariant Participating is broken until SELECTED returns. H keeps it.
    @Test
    void winnerParticipatesWhileItLeads() {
        Machine p3 = process(3, 3);
        p3.after("start", "PROBE(3) from 2");
        assertThat(p3.leader()).isEqualTo(3);
        assertThat(p3.election().isParticipating()).isTrue();
        p3.on("SELECTED(3) from 2");
        assertThat(p3.election().isParticipating()).isFalse();
    }

    // Pitfall "double victory": F wins with any own PROBE, also one of a former life. H compares attempts.
    @Test
    void ownProbeOfAFormerAttemptIsAccepted() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start leader=3", "PROBE(2) from 1")).contains("LEADER 2");
    }

    // Quirk 9: nothing but the dead process itself would stop these.
    @Test
    void messagesOfADeadProcessAreForwarded() {
        Machine p1 = process(1, 4);
        p1.after("start", "suspect(3)");
        assertThat(p1.on("PROBE(3) from 4")).containsExactly("PROBE(3) ->2");
        assertThat(p1.on("SELECTED(3) from 4")).containsExactlyInAnyOrder("LEADER 3", "SELECTED(3) ->2");
        assertThat(p1.leader()).isEqualTo(3);
    }

    @Test
    void singleProcessElectsItself() {
        Machine p1 = process(1, 1);
        assertThat(p1.on("start")).containsExactly("PROBE(1) ->1");
        assertThat(p1.on("PROBE(1) from 1")).containsExactlyInAnyOrder("SELECTED(1) ->1", "LEADER 1");
        assertThat(p1.on("SELECTED(1) from 1")).isEmpty();
    }

    // Peer input is never an exception: from nobody, about nobody, or of another algorithm.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void messagesThatMakeNoSenseAreIgnored(Variant variant) {
        Machine p2 = new Machine(
                new LcrAlgorithm().create(Membership.of(1, 3), new Timing(10), new Options(variant, false, false)),
                new LcrNotation(variant));
        p2.on("start");
        Object state = p2.election().snapshot();
        for (int from : new int[] {-1, 3, 1000}) {
            assertThat(p2.on(new Event.Received(from, new Probe(2, Attempt.NONE, 9, 1))))
                    .isEmpty();
            assertThat(p2.on(new Event.Received(from, new Selected(2, 9, 9, 1))))
                    .isEmpty();
        }
        for (int id : new int[] {-1, 3, 1000}) {
            assertThat(p2.on(new Event.Received(0, new Probe(id, Attempt.NONE, 9, 1))))
                    .isEmpty();
            assertThat(p2.on(new Event.Received(0, new Selected(id, 9, 9, 1)))).isEmpty();
        }
        assertThat(p2.on(new Event.Received(0, new Foreign()))).isEmpty();
        assertThat(p2.after("suspect(2)", "suspect(0)", "suspect(9)", "restore(9)"))
                .isEmpty();
        // None of their terms was taken over.
        assertThat(p2.election().snapshot()).isEqualTo(state);
    }
}
