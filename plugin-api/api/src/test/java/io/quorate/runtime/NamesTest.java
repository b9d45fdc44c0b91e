package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.spi.NodeId;
import org.junit.jupiter.api.Test;

/** Equal names become one object, and are not kept for ever. */
class NamesTest {

    private final Names names = new Names();

    private static ContenderRecord registration(String node, String participant, int number) {
        return new ContenderRecord(new ContenderId(new NodeId(node), 3, number), participant, 4, 5, 6, 7);
    }

    @Test
    void equalNamesAreOneObject() {
        ContenderRecord first = names.shared(registration(new String("n1"), new String("app"), 1));
        ContenderRecord second = names.shared(registration(new String("n1"), new String("app"), 2));
        assertThat(second.id().node()).isSameAs(first.id().node());
        assertThat(second.participantId()).isSameAs(first.participantId());
        assertThat(second).isEqualTo(registration("n1", "app", 2));
    }

    @Test
    void manyNamesAreForgotten() {
        ContenderRecord first = names.shared(registration(new String("n1"), new String("app"), 1));
        for (int i = 0; i < 10_000; i++) {
            names.shared(registration("x" + i, "participant " + i, 1));
        }
        ContenderRecord later = names.shared(registration(new String("n1"), new String("app"), 1));
        assertThat(later.participantId()).isNotSameAs(first.participantId());
        assertThat(later.id().node()).isNotSameAs(first.id().node());
    }
}
