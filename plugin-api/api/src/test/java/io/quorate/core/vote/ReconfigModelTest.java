package io.quorate.core.vote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.vote.ReconfigWorld.Bounds;
import io.quorate.core.vote.ReconfigWorld.Broken;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The shipped ballots and candidates while the voters change, exhaustively within bounds: Exclusive, Fencing and Window
 * of Reconfig.tla. There are exactly as many states as TLC finds.
 */
class ReconfigModelTest {

    private static int explore(Bounds bounds) {
        Set<Long> seen = new HashSet<>();
        Deque<ReconfigWorld> frontier = new ArrayDeque<>();
        ReconfigWorld first = new ReconfigWorld(bounds);
        seen.add(first.key());
        frontier.add(first);
        boolean[] isAcross = {false};
        while (!frontier.isEmpty()) {
            ReconfigWorld world = frontier.remove();
            world.successors(next -> {
                if (seen.add(next.key())) {
                    if (!next.violation().isEmpty()) {
                        throw new AssertionError(next.violation() + "\n" + next + "\nfollows\n" + world);
                    }
                    isAcross[0] |= next.isAcross();
                    frontier.add(next);
                }
            });
        }
        assertThat(isAcross[0])
                .as("whether some tenure goes on through both changes")
                .isTrue();
        return seen.size();
    }

    @Test
    void theOnlyVoterIsReplacedWhileSupportLapses() {
        assertThat(explore(new Bounds(1, 0, Broken.NONE))).isEqualTo(159_293);
    }

    // Reconfig.cfg
    @Test
    @Tag("storms")
    void theOnlyVoterIsReplacedWhileSupportLapsesAndVotersCrash() {
        assertThat(explore(new Bounds(1, 1, Broken.NONE))).isEqualTo(645_263);
    }

    @ParameterizedTest
    @CsvSource({
        "OLD_NUMBER, Window",
        "NO_WAIT, Window",
        "VOLATILE_PROMISE, Window",
        "NO_FLOOR, Fencing",
        "FLOOR_UNCHECKED, Fencing",
    })
    void aRuleThatIsBrokenIsFound(Broken rule, String violated) {
        assertThatThrownBy(() -> explore(new Bounds(1, 1, rule)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(violated + ": ");
    }
}
