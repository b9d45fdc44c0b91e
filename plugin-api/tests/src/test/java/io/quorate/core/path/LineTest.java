package io.quorate.core.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Leaders have turns one after the other. */
class LineTest {

    private final Line line = new Line();

    private final Map<Long, LocalContender> leaders = new HashMap<>();

    private LocalContender leader(long number) {
        return leaders.computeIfAbsent(number, n -> new LocalContender("/p" + n, n, "", 0, 3));
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
        assertThat(turns()).containsExactly(3L, 1L, 2L);
        line.allow(3);
        assertThat(turns()).containsExactly(4L, 3L, 1L);
    }

    @Test
    void thereAreNoMoreTurnsThanLeaders() {
        add(1, 2);
        line.allow(2);
        line.allow(2);
        add(1, 2);
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

    // Its vote has come before its turn: the first must not have its turn in place of it.
    @Test
    void whoLeavesBeforeItsTurnGivesNobodyASecondOne() {
        add(1, 2, 3, 4);
        line.allow(4);
        assertThat(line.next().number).isEqualTo(1);
        line.remove(leader(3));
        assertThat(turns()).containsExactly(2L, 4L);
    }

    // New leaders have ever higher numbers, and with as many of them as turns the first would never have another.
    @Test
    void whoComesStandsBehindAllThatAreThere() {
        add(1, 2);
        List<Long> turns = new ArrayList<>();
        for (int number = 3; number <= 8; number++) {
            add(number);
            line.allow(1);
            turns.addAll(turns());
        }
        assertThat(turns).startsWith(1L, 2L, 3L, 1L);
    }
}
