package io.quorate.core.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SmallListsTest {

    @Test
    void aListIsChangedByAnother() {
        assertThat(SmallLists.with(List.of(1), 2)).containsExactly(1, 2);
        assertThat(SmallLists.without(List.of(1, 2), (Integer) 1)).containsExactly(2);
        assertThat(SmallLists.without(List.of(1), (Integer) 3)).containsExactly(1);
    }
}
