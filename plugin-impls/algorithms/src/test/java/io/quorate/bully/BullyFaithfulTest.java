package io.quorate.bully;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Foreign;
import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/bully.md#faithful: rules 1 to 5 of source 001 and the quirks that follow from them. */
class BullyFaithfulTest {

    private static Machine process(int id, int size) {
        return process(id, size, Options.FAITHFUL);
    }

    private static Machine process(int id, int size, Options options) {
        Election election = BullyElection.create(Membership.of(id - 1, size), new Timing(10), options);
        return new Machine(election, new BullyNotation(options.variant()));
    }

    // Rule 1, second half.
    @Test
    void highestAnnouncesItselfAtOnce() {
        Machine p3 = process(3, 3);
        assertThat(p3.on("start")).containsExactlyInAnyOrder("VICTORY ->1,2", "LEADER 3");
        assertThat(p3.leader()).isEqualTo(3);
    }

    // Rule 1, first half.
    @Test
    void anyOtherAsksAllHigherProcesses() {
        Machine p2 = process(2, 4);
        assertThat(p2.on("start")).containsExactlyInAnyOrder("ELECTION ->3,4", "set T=25");
        assertThat(p2.election().isParticipating()).isTrue();
    }

    // Pitfall: highest of all, not of the live ones; a wrong suspicion must not make a leader.
    @Test
    void suspectedProcessesAreAskedAsWell() {
        Machine p2 = process(2, 4);
        assertThat(p2.after("start leader=4", "suspect(3)", "suspect(4)"))
                .containsExactlyInAnyOrder("ELECTION ->3,4", "set T=25");
    }

    // Rule 2.
    @Test
    void candidateWithoutAliveInTimeWins() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "timer T")).containsExactlyInAnyOrder("VICTORY ->2,3", "LEADER 1");
        assertThat(p1.election().isParticipating()).isFalse();
    }

    // Rule 3; pitfall: no restart of the timer on every ALIVE.
    @Test
    void firstAliveEndsTheWaitForAliveAndTheSecondDoesNothing() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "ALIVE from 2")).containsExactlyInAnyOrder("cancel T", "set T2=50");
        assertThat(p1.on("ALIVE from 3")).isEmpty();
        assertThat(p1.election().isParticipating()).isTrue();
    }

    @Test
    void aliveOfALowerProcessIsIgnored() {
        Machine p2 = process(2, 3);
        assertThat(p2.after("start", "ALIVE from 1")).isEmpty();
    }

    @Test
    void aliveWithoutAnElectionIsIgnored() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=3", "ALIVE from 2")).isEmpty();
    }

    // Rule 3: "none in time: restart".
    @Test
    void candidateWithoutVictoryInTimeStartsAgain() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "ALIVE from 2", "timer T2"))
                .containsExactlyInAnyOrder("ELECTION ->2,3", "set T=25");
    }

    // Rule 4.
    @Test
    void electionIsAnsweredAndStartsAnElectionUnlessOneRuns() {
        Machine p2 = process(2, 3);
        p2.on("start leader=3");
        assertThat(p2.on("ELECTION from 1")).containsExactlyInAnyOrder("ALIVE ->1", "ELECTION ->3", "set T=25");
        assertThat(p2.on("ELECTION from 1")).containsExactly("ALIVE ->1");
    }

    // Rule 5; pitfall: VICTORY may arrive in WAIT_ALIVE and ends the election.
    @Test
    void victoryEndsTheElectionInEachPhase() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "VICTORY from 3")).containsExactlyInAnyOrder("cancel T", "LEADER 3");
        Machine other = process(1, 3);
        assertThat(other.after("start", "ALIVE from 2", "VICTORY from 3"))
                .containsExactlyInAnyOrder("cancel T2", "LEADER 3");
        assertThat(other.election().isParticipating()).isFalse();
        assertThat(other.on("VICTORY from 3")).containsExactly("LEADER 3");
    }

    @Test
    void configuredLeaderIsFollowedUntilItIsSuspected() {
        Machine p1 = process(1, 3);
        assertThat(p1.on("start leader=3")).isEmpty();
        assertThat(p1.leader()).isEqualTo(3);
        assertThat(p1.on("suspect(2)")).isEmpty();
        assertThat(p1.on("suspect(3)")).containsExactlyInAnyOrder("ELECTION ->2,3", "set T=25");
        assertThat(p1.on("restore(3)")).isEmpty();
    }

    // Quirk 1: rule 4 has no exception for the leader. H answers the caller only.
    @Test
    void sittingLeaderAnnouncesItselfToAllForEveryElection() {
        Machine p3 = process(3, 3);
        assertThat(p3.after("start", "ELECTION from 1"))
                .containsExactlyInAnyOrder("ALIVE ->1", "VICTORY ->1,2", "LEADER 3");
    }

    // Quirk 1, the other half: property Participating is broken. H keeps it.
    @Test
    void leaderThatIsNotTheHighestParticipatesWhileItLeads() {
        Machine p2 = process(2, 3);
        p2.after("start", "timer T", "ELECTION from 1");
        assertThat(p2.leader()).isEqualTo(2);
        assertThat(p2.election().isParticipating()).isTrue();
    }

    // Quirk 2: rule 5 compares nothing.
    @Test
    void highestAcceptsALowerLeader() {
        Machine p3 = process(3, 3);
        assertThat(p3.after("start", "VICTORY from 1")).containsExactly("LEADER 1");
        assertThat(p3.leader()).isEqualTo(1);
    }

    // Quirk 3: the suspicion was raised before, so its edge does not come again.
    @Test
    void lateVictoryOfADeadProcessIsAccepted() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start leader=2", "suspect(3)", "VICTORY from 3")).containsExactly("LEADER 3");
    }

    @Test
    void nominationsCarryNoMark() {
        Election election = process(1, 1).election();
        assertThat(election.on(0, Event.Start.FRESH)).containsExactly(new Effect.Nominate(0, Mark.NONE));
    }

    @Test
    void singleProcessElectsItself() {
        assertThat(process(1, 1).on("start")).containsExactly("LEADER 1");
    }

    // Peer input is never an exception: from nobody, from ourselves, or of another algorithm.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void messagesThatMakeNoSenseAreIgnored(Variant variant) {
        Machine p2 = process(2, 3, new Options(variant, false, false));
        p2.on("start");
        String[] messages = {"ELECTION", "ALIVE", "VICTORY"};
        for (String message : messages) {
            for (int from : new int[] {0, 2, 4, 1000}) {
                assertThat(p2.on(message + " from " + from))
                        .as("%s from %d", message, from)
                        .isEmpty();
            }
        }
        assertThat(p2.on(new Event.Received(0, new Foreign()))).isEmpty();
        assertThat(p2.after("suspect(2)", "suspect(9)", "restore(9)")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void timerThatIsNotPendingIsABug(Variant variant) {
        Machine p1 = process(1, 3, new Options(variant, false, false));
        p1.on("start");
        assertThat(thrownBy(p1, "timer T2")).contains("T2").contains("WAIT_ALIVE");
        assertThat(thrownBy(p1, "timer X")).contains("X");
    }

    private static String thrownBy(Machine machine, String event) {
        try {
            machine.on(event);
            return "nothing";
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    // docs/algorithms/bully.md#timers: T > 2 delta also when half a delta is no whole number.
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 10, 20_000_000})
    void timeoutsHoldTheBoundsOfTheDocument(long delta) {
        long t = BullyElection.aliveTimeout(new Timing(delta));
        long t2 = BullyElection.victoryTimeout(new Timing(delta));
        assertThat(t).isGreaterThan(2 * delta).isLessThanOrEqualTo(3 * delta);
        assertThat(t2).isGreaterThanOrEqualTo(Math.max(5 * delta, t + 2 * delta));
        assertThat(new BullyAlgorithm().usualFailover(new Timing(delta), 5)).isEqualTo(t2 + t + 2 * delta);
    }

    @Test
    void initialLeaderOutsideTheMembershipIsABug() {
        Machine p1 = process(1, 3, Options.HARDENED);
        Event start = new Event.Start(1, Event.Saved.NOTHING, OptionalInt.of(3));
        org.assertj.core.api.Assertions.assertThatIllegalStateException().isThrownBy(() -> p1.on(start));
    }
}
