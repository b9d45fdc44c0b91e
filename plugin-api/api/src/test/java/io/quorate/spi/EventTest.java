package io.quorate.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What machines are given and what they answer: values with rules. */
class EventTest {

    // A machine of somebody else may write into what it has saved.
    @Test
    void savedStateIsAValue() {
        byte[] bytes = {1, 2};
        Event.Saved saved = new Event.Saved(bytes);
        bytes[0] = 9;
        saved.bytes()[1] = 9;
        assertThat(saved.bytes()).containsExactly(1, 2);
        assertThat(saved)
                .isEqualTo(new Event.Saved(new byte[] {1, 2}))
                .hasSameHashCodeAs(new Event.Saved(new byte[] {1, 2}))
                .isNotEqualTo(new Event.Saved(new byte[] {1, 3}))
                .isNotEqualTo("[1, 2]")
                .hasToString("[1, 2]");
        assertThat(saved.hashCode()).isNotEqualTo(Event.Saved.NOTHING.hashCode());
        assertThat(saved.isEmpty()).isFalse();
        assertThat(Event.Saved.NOTHING.isEmpty()).isTrue();
    }

    @Test
    void aLifeBeginsWithAtLeastOne() {
        assertThat(new Event.Start(1, Event.Saved.NOTHING, OptionalInt.empty())).isEqualTo(Event.Start.FRESH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Event.Start(0, Event.Saved.NOTHING, OptionalInt.empty()))
                .withMessage("incarnation 0: must be at least 1");
    }

    @Test
    void aDelayIsARangeFromZeroUp() {
        assertThat(new Effect.SetTimer("t", 0)).isEqualTo(new Effect.SetTimer("t", 0, 0));
        assertThat(new Effect.SetTimer("t", 3, 4).delayMax()).isEqualTo(4);
        for (long[] wrong : new long[][] {{-1, 0}, {2, 1}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Effect.SetTimer("t", wrong[0], wrong[1]))
                    .withMessage("timer t: delay " + wrong[0] + " to " + wrong[1] + " must be a range from 0 up");
        }
    }

    @Test
    void marksAreOrderedByTermThenProcessThenIncarnation() {
        List<Mark> rising = List.of(
                Mark.NONE,
                new Mark(0, 0, 0),
                new Mark(1, -1, 9),
                new Mark(1, 0, 1),
                new Mark(1, 0, 2),
                new Mark(2, 0, 0));
        for (int i = 0; i < rising.size(); i++) {
            for (int j = 0; j < rising.size(); j++) {
                assertThat(Integer.signum(rising.get(i).compareTo(rising.get(j))))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void aTimeIsAtLeastANanosecond() {
        assertThat(new Timing(2).deltas(3)).isEqualTo(6);
        assertThatIllegalArgumentException().isThrownBy(() -> new Timing(0)).withMessage("delta 0: must be at least 1");
    }
}
