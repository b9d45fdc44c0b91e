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

    /** Odd, so that different keys stay different. Unspread, many of them have the same hash. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private static int explore(Bounds bounds) {
        Set<Long> seen = new HashSet<>();
        Deque<ReconfigWorld> frontier = new ArrayDeque<>();
        ReconfigWorld first = new ReconfigWorld(bounds);
        seen.add(first.key() * SPREAD);
        frontier.add(first);
        boolean[] isAcross = {false};
        while (!frontier.isEmpty()) {
            ReconfigWorld world = frontier.remove();
            world.successors(next -> {
                if (seen.add(next.key() * SPREAD)) {
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

    // Without lapses, and with a crash where the rule is about crashes: less is enough for each, and is searched
    // faster.
    @ParameterizedTest
    @CsvSource({
        "OLD_NUMBER, 0, Window",
        "NO_WAIT, 0, Window",
        "VOLATILE_PROMISE, 1, Window",
        "NO_FLOOR, 0, Fencing",
        "FLOOR_UNCHECKED, 0, Fencing",
    })
    void aRuleThatIsBrokenIsFound(Broken rule, int crashes, String violated) {
        assertThatThrownBy(() -> explore(new Bounds(0, crashes, rule)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(violated + ": ");
    }
}
