package io.quorate.core.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leaders have turns one after the other. */
class LineTest {

    private final Line line = new Line();

    private static LocalContender leader(long number) {
        return new LocalContender("/p" + number, number, "", 0, 3);
    }

    private void add(int... numbers) {
        for (int number : numbers) {
            line.add(leader(number));
        }
    }

    private List<Long> turns() {
        List<Long> turns = new ArrayList<>();
        while (line.hasTurn()) {
            turns.add(line.next().number);
        }
        return turns;
    }

    @Test
    void eachHasATurnBeforeAnyHasASecondOne() {
        add(3, 1, 2, 4);
        line.allow(3);
        assertThat(turns()).containsExactly(1L, 2L, 3L);
        line.allow(3);
        assertThat(turns()).containsExactly(4L, 1L, 2L);
    }

    @Test
    void thereAreNoMoreTurnsThanLeaders() {
        add(1, 2);
        line.allow(2);
        line.allow(2);
        assertThat(turns()).containsExactly(1L, 2L);
    }

    // Else the next to come would have all the turns that those who have left did not take.
    @Test
    void whoLeavesTakesItsTurnAlong() {
        add(1, 2, 3);
        line.allow(3);
        for (int number = 1; number <= 3; number++) {
            line.remove(leader(number));
        }
        assertThat(line.hasTurn()).isFalse();
        add(4);
        assertThat(line.hasTurn()).isFalse();
    }

    @Test
    void itGoesOnBehindOneThatIsGone() {
        add(1, 2, 3);
        line.allow(2);
        assertThat(turns()).containsExactly(1L, 2L);
        line.remove(leader(2));
        line.allow(2);
        assertThat(turns()).containsExactly(3L, 1L);
    }
}
