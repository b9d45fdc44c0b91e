package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That objects are counted while they are held, to the byte. */
class HistogramTest {

    /** A header of 12 or 16 bytes, and one field. */
    private static final class Held {
        private final long value;

        private Held(long value) {
            this.value = value;
        }
    }

    @Test
    void onlyHeldObjectsAreCounted() {
        List<Held> held = new ArrayList<>();
        String name = Held.class.getName();
        long before = Histogram.take().bytes(name);
        for (int i = 0; i < 1000; i++) {
            held.add(new Held(i));
        }
        Histogram after = Histogram.take();
        assertThat(after.bytes(name) - before).isEqualTo(24_000);
        assertThat(after.where(name::equals).per(1000)).contains("24.0 " + name);
        assertThat(after.bytes()).isGreaterThan(after.where(name::equals).bytes());
        assertThat(held.stream().mapToLong(h -> h.value).sum()).isEqualTo(499_500);

        held.clear();
        assertThat(Histogram.take().bytes(name)).isEqualTo(before);
    }
}
