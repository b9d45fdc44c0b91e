package io.quorate.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import org.junit.jupiter.api.Test;

/** Equal names become one object, and are not kept for ever. */
class NamesTest {

    private final Names names = new Names();

    private static ContenderId id(String node, int number) {
        return new ContenderId(new NodeId(node), 3, number);
    }

    @Test
    void equalNamesAreOneObject() {
        ContenderId first = names.shared(id(new String("n1"), 1));
        ContenderId second = names.shared(id(new String("n1"), 2));
        assertThat(second.node()).isSameAs(first.node());
        assertThat(second).isEqualTo(id("n1", 2));
        String participant = names.shared(new String("app"));
        assertThat(names.shared(new String("app"))).isSameAs(participant);
    }

    @Test
    void manyNamesAreForgotten() {
        ContenderId first = names.shared(id(new String("n1"), 1));
        String participant = names.shared(new String("app"));
        for (int i = 0; i < 10_000; i++) {
            names.shared(id("x" + i, 1));
            names.shared("participant " + i);
        }
        assertThat(names.shared(id(new String("n1"), 1)).node()).isNotSameAs(first.node());
        assertThat(names.shared(new String("app"))).isNotSameAs(participant);
    }
}
