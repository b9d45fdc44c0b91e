package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.collection.SmallLists;
import io.quorate.core.step.Context;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnContendersTest {

    private final Context context = Contexts.of(N1);

    private static Contender contender(int number, long stamp, Contender.Stage stage) {
        Contender contender = new Contender("/app/leader", number, "p" + number, 0, 3);
        contender.stamp = stamp;
        contender.stage = stage;
        return contender;
    }

    @Test
    void theBestInTheQueueStandsForTheNode() {
        Contender out = contender(1, 1, Contender.Stage.OUT);
        Contender second = contender(2, 3, Contender.Stage.QUEUED);
        Contender first = contender(3, 2, Contender.Stage.QUEUED);
        assertThat(OwnContenders.best(List.of(out, second, first), context)).contains(first);
        assertThat(OwnContenders.best(List.of(first, second, out), context)).contains(first);
        assertThat(OwnContenders.best(List.of(out), context)).isEmpty();
    }

    @Test
    void isFoundByItsNumber() {
        Contender one = contender(1, 1, Contender.Stage.QUEUED);
        Contender two = contender(2, 2, Contender.Stage.QUEUED);
        assertThat(OwnContenders.find(List.of(one, two), 2)).contains(two);
        assertThat(OwnContenders.find(List.of(one, two), 3)).isEmpty();
    }

    @Test
    void aListIsChangedByAnother() {
        assertThat(SmallLists.with(List.of(1), 2)).containsExactly(1, 2);
        assertThat(SmallLists.without(List.of(1, 2), (Integer) 1)).containsExactly(2);
        assertThat(SmallLists.without(List.of(1), (Integer) 3)).containsExactly(1);
    }
}
