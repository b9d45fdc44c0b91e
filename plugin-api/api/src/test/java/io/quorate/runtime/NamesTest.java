package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Registration;
import io.quorate.spi.NodeId;
import org.junit.jupiter.api.Test;

/** Equal names become one object, and are not kept for ever. */
class NamesTest {

    private final Names names = new Names();

    private static Registration registration(String node, String participant, int number) {
        return new Registration(new ContenderId(new NodeId(node), 3, number), participant, 4, 5, 6, 7);
    }

    @Test
    void equalNamesAreOneObject() {
        Registration first = names.shared(registration(new String("n1"), new String("app"), 1));
        Registration second = names.shared(registration(new String("n1"), new String("app"), 2));
        assertThat(second.id().node()).isSameAs(first.id().node());
        assertThat(second.participantId()).isSameAs(first.participantId());
        assertThat(second).isEqualTo(registration("n1", "app", 2));
    }

    @Test
    void manyNamesAreForgotten() {
        Registration first = names.shared(registration(new String("n1"), new String("app"), 1));
        for (int i = 0; i < 10_000; i++) {
            names.shared(registration("x" + i, "participant " + i, 1));
        }
        Registration later = names.shared(registration(new String("n1"), new String("app"), 1));
        assertThat(later.participantId()).isNotSameAs(first.participantId());
        assertThat(later.id().node()).isNotSameAs(first.id().node());
    }
}
