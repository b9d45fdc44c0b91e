package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.directory.VoterListings;
import io.quorate.core.step.StepContext;
import org.junit.jupiter.api.Test;

class ContendedPathTest {

    private static final String PATH = "/app/leader";

    private final StepContext context = Contexts.of(N1);
    private final ContendedPath contended = new ContendedPath(context, new VoterListings.Beginnings(context), PATH);

    private LocalContender joining(int number) {
        LocalContender contender = new LocalContender(PATH, number, "p" + number, 0, 3);
        contended.add(contender);
        return contender;
    }

    private LocalContender placed(int number, long place) {
        LocalContender contender = joining(number);
        contender.onPlace(context, place);
        return contender;
    }

    @Test
    void theBestInTheQueueStandsForTheNode() {
        joining(1);
        assertThat(contended.bestOwn()).isEmpty();
        LocalContender second = placed(2, 3);
        assertThat(contended.bestOwn()).contains(second);
        LocalContender first = placed(3, 2);
        assertThat(contended.bestOwn()).contains(first);
        placed(4, 5);
        assertThat(contended.bestOwn()).contains(first);
    }

    @Test
    void isFoundByItsNumber() {
        placed(1, 1);
        LocalContender two = placed(2, 2);
        assertThat(contended.own(2)).contains(two);
        assertThat(contended.own(3)).isEmpty();
    }
}
