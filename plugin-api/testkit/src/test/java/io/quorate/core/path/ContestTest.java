package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.step.Context;
import org.junit.jupiter.api.Test;

class ContestTest {

    private static final String PATH = "/app/leader";

    private final Context context = Contexts.of(N1);
    private final Contest contest = new Contest(context, PATH);

    private Contender joining(int number) {
        Contender contender = new Contender(PATH, number, "p" + number, 0, 3);
        contest.add(contender);
        return contender;
    }

    private Contender placed(int number, long place) {
        Contender contender = joining(number);
        contender.onPlace(context, place);
        return contender;
    }

    @Test
    void theBestInTheQueueStandsForTheNode() {
        joining(1);
        assertThat(contest.bestOwn()).isEmpty();
        Contender second = placed(2, 3);
        assertThat(contest.bestOwn()).contains(second);
        Contender first = placed(3, 2);
        assertThat(contest.bestOwn()).contains(first);
        placed(4, 5);
        assertThat(contest.bestOwn()).contains(first);
    }

    @Test
    void isFoundByItsNumber() {
        placed(1, 1);
        Contender two = placed(2, 2);
        assertThat(contest.own(2)).contains(two);
        assertThat(contest.own(3)).isEmpty();
    }
}
