package io.quorate.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import org.junit.jupiter.api.Test;

/** How often the same thing is said, and how often the like. */
class NoticesTest {

    private static final long MINUTE = Notices.PAUSE_NANOS;
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    private final Notices notices = new Notices(Notices.LINES_MAX);

    /** How many of so many peers, each with a name of its own, are due. */
    private int due(Notices asked, String kind, int peers, long now) {
        int due = 0;
        for (int i = 0; i < peers; i++) {
            due += asked.isDue(kind, new NodeId("p" + i), now) ? 1 : 0;
        }
        return due;
    }

    @Test
    void eachKindIsDueOncePerPeerAndMinute() {
        assertThat(notices.isDue("a", N1, 5)).isTrue();
        assertThat(notices.isDue("a", N1, 5)).isFalse();
        assertThat(notices.isDue("a", N2, 5)).isTrue();
        assertThat(notices.isDue("b", N1, 5)).isTrue();
        assertThat(notices.isDue("a", N1, 5 + MINUTE - 1)).isFalse();
        assertThat(notices.isDue("a", N1, 5 + MINUTE)).isTrue();
    }

    @Test
    void inventedNamesFillNoLog() {
        assertThat(due(notices, "a", 5_000, 7)).isEqualTo(Notices.LINES_MAX);
        assertThat(notices.isDue("a", N1, 7 + MINUTE - 1)).isFalse();
        assertThat(notices.isDue("b", N1, 7)).as("another kind").isTrue();
        assertThat(notices.isDue("a", N1, 7 + MINUTE)).as("a minute later").isTrue();
    }

    @Test
    void keptNoticesAreBounded() {
        Notices answers = new Notices(Integer.MAX_VALUE);
        assertThat(due(answers, "a", 5_000, 0)).isEqualTo(Notices.KEPT_MAX);
        assertThat(answers.isDue("a", N1, MINUTE)).as("when a minute is over").isTrue();
    }
}
