package io.quorate.core.vote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.vote.LeaseWorld.Bounds;
import io.quorate.core.vote.LeaseWorld.Names;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * ADR-0036: the shipped ballots and candidates under any nominator, exhaustively within bounds. Never two leaders,
 * and tokens rise: the invariants Exclusive and Fencing of QuorumLease.tla.
 */
class LeaseModelTest {

    private static int explore(Bounds bounds) {
        return explore(bounds, Names.RISING);
    }

    private static int explore(Bounds bounds, Names names) {
        Set<Long> seen = new HashSet<>();
        Deque<LeaseWorld> frontier = new ArrayDeque<>();
        LeaseWorld first = new LeaseWorld(bounds, names);
        seen.add(first.fingerprint());
        frontier.add(first);
        Set<Integer> leaders = new HashSet<>();
        while (!frontier.isEmpty()) {
            LeaseWorld world = frontier.remove();
            world.leader().ifPresent(leaders::add);
            world.successors(next -> {
                if (seen.add(next.fingerprint())) {
                    if (!next.violation().isEmpty()) {
                        throw new AssertionError(next.violation() + "\n" + next + "\nfollows\n" + world);
                    }
                    frontier.add(next);
                }
            });
        }
        assertThat(leaders).as("candidates that lead in some state").hasSize(bounds.candidates());
        return seen.size();
    }

    // The numbers of states are those of this model; another number means that another model was explored.

    @Test
    void anybodyClaimsAtAnyTime() {
        assertThat(explore(new Bounds(2, 2, 0, 0, 0, 0, false, false))).isEqualTo(20_896);
    }

    @Test
    void supportLapsesAndBeginsAgain() {
        assertThat(explore(new Bounds(2, 1, 1, 0, 0, 0, false, false))).isEqualTo(3_479);
    }

    @Test
    @Tag("storms")
    void supportLapsesInTwoTerms() {
        assertThat(explore(new Bounds(2, 2, 1, 0, 0, 0, false, false))).isEqualTo(391_542);
    }

    // The next life of a voter has another name and counts its epochs anew. Whether its name is higher makes no
    // difference.
    @ParameterizedTest
    @EnumSource(
            value = Names.class,
            names = {"RISING", "FALLING"})
    void voterCrashesAndComesBack(Names names) {
        assertThat(explore(new Bounds(2, 1, 0, 1, 0, 0, false, false), names)).isEqualTo(3_296);
    }

    // Two voters, or two lives of one.
    @ParameterizedTest
    @EnumSource(
            value = Names.class,
            names = {"RISING", "FALLING"})
    void votersCrashTwice(Names names) {
        assertThat(explore(new Bounds(2, 1, 0, 2, 0, 0, false, false), names)).isEqualTo(23_630);
    }

    // ADR-0089: with a name that comes twice an epoch does too, and the vote of the dead counts under the support of
    // the living.
    @Test
    @Tag("storms")
    void lifeThatComesTwiceIsFound() {
        assertThatThrownBy(() -> explore(new Bounds(2, 2, 0, 1, 0, 0, false, false), Names.TWICE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Exclusive: two leaders");
    }

    @ParameterizedTest
    @EnumSource(
            value = Names.class,
            names = {"RISING", "FALLING"})
    @Tag("storms")
    void voterCrashesInTwoTerms(Names names) {
        assertThat(explore(new Bounds(2, 2, 0, 1, 0, 0, false, false), names)).isEqualTo(347_652);
    }

    // ADR-0002: the next life of a candidate has forgotten its terms, and is another holder.
    @Test
    void candidateRestarts() {
        assertThat(explore(new Bounds(2, 1, 0, 0, 1, 0, false, false))).isEqualTo(8_953);
    }

    // ADR-0003: a voter forgets the path and begins at the floor; as if it had remembered everything but its vote.
    @Test
    void pathIsForgotten() {
        assertThat(explore(new Bounds(2, 2, 0, 0, 0, 1, false, false))).isEqualTo(41_792);
    }

    // ADR-0006: two contenders of one node share its support, and nothing else.
    @Test
    void twoContendersOfOneNode() {
        assertThat(explore(new Bounds(2, 2, 0, 0, 0, 0, true, false))).isEqualTo(20_896);
    }

    // A leader asks the voters for its successor, who claims the same term when it hears of it, or another, or none.
    @Test
    void leadersAskForTheirSuccessors() {
        assertThat(explore(new Bounds(2, 2, 0, 0, 0, 0, false, true))).isEqualTo(44_940);
        assertThat(explore(new Bounds(2, 1, 1, 0, 0, 0, false, true))).isEqualTo(4_977);
    }
}
