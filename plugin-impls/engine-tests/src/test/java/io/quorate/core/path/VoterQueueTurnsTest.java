package io.quorate.core.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Leaders have turns one after the other. */
class VoterQueueTurnsTest {

    private final VoterQueue queue = new VoterQueue(Contexts.of(Contexts.N1));

    private final Map<Long, LocalContender> leaders = new HashMap<>();

    private LocalContender leader(long number) {
        return leaders.computeIfAbsent(number, n -> new LocalContender("/p" + n, n, "", 0, 3));
    }

    private void add(int... numbers) {
        for (int number : numbers) {
            queue.add(leader(number));
        }
    }

    private List<Long> turns() {
        List<Long> turns = new ArrayList<>();
        while (queue.hasTurn()) {
            turns.add(queue.next().number);
        }
        return turns;
    }

    @Test
    void eachHasATurnBeforeAnyHasASecondOne() {
        add(3, 1, 2, 4);
        queue.allow();
        assertThat(queue.next().number).isEqualTo(3);
        assertThat(queue.next().number).isEqualTo(1);
        queue.allow();
        assertThat(turns()).containsExactly(2L, 4L, 3L, 1L);
    }

    @Test
    void queuedLeaderDoesNotGetASecondTurn() {
        add(1, 2);
        queue.allow();
        add(1, 2);
        queue.allow();
        assertThat(turns()).containsExactly(1L, 2L);
    }

    // It may be asked for by its claim, and needs no question.
    @Test
    void newcomersWaitForTheNextRound() {
        add(1);
        queue.allow();
        add(2);
        assertThat(turns()).containsExactly(1L);
    }

    // Its vote has come before its turn: the first must not have its turn in place of it.
    @Test
    void departedLeaderDoesNotPassOnItsTurn() {
        add(1, 2, 3, 4);
        queue.allow();
        assertThat(queue.next().number).isEqualTo(1);
        queue.remove(leader(1));
        queue.remove(leader(3));
        assertThat(turns()).containsExactly(2L, 4L);
        queue.allow();
        assertThat(turns()).containsExactly(2L, 4L);
    }

    // New leaders have ever higher numbers, and with as many of them as turns the first would never have another.
    @Test
    void newcomersQueueBehindAllOthers() {
        add(1, 2);
        List<Long> turns = new ArrayList<>();
        for (int number = 3; number <= 8; number++) {
            add(number);
            queue.allow();
            turns.add(queue.next().number);
        }
        assertThat(turns).containsExactly(1L, 2L, 3L, 1L, 4L, 2L);
    }
}
