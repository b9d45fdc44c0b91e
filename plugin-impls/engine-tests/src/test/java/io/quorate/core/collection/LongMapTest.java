package io.quorate.core.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.Seeds;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LongMapTest {

    private static final int SEEDS = 50;
    private static final int STEPS = 2_000;

    // Numbers mostly rise, as those of contenders do, and sometimes come late.
    @Test
    void behavesAsASortedMap() {
        Seeds.each(SEEDS, 1, seed -> {
            Random random = new Random(seed);
            Map<Integer, String> expected = new TreeMap<>();
            LongMap<String> actual = new LongMap<>();
            for (int step = 1; step <= STEPS; step++) {
                int number = random.nextInt(4) == 0 ? random.nextInt(step) : step;
                boolean removes = random.nextInt(step < STEPS / 2 ? 3 : 2) == 0;
                if (removes) {
                    int removed = random.nextInt(step + 1);
                    expected.remove(removed);
                    actual.remove(removed);
                } else {
                    expected.put(number, "value " + step);
                    actual.put(number, "value " + step);
                }
                assertThat(actual.get(number)).isEqualTo(expected.get(number));
                assertThat(actual.size()).isEqualTo(expected.size());
            }
            assertThat(actual).containsExactlyElementsOf(expected.values());
            int from = random.nextInt(STEPS + 2) - 1;
            int max = random.nextInt(20);
            assertThat(actual.after(from, max))
                    .containsExactlyElementsOf(expected.entrySet().stream()
                            .filter(entry -> entry.getKey() > from)
                            .limit(max)
                            .map(Map.Entry::getValue)
                            .toList());
            expected.keySet().forEach(number -> assertThat(actual.get(number)).isEqualTo(expected.get(number)));
        });
    }

    // A selector that queues again a thousand times a second has had so many contenders after 25 days.
    @Test
    void numbersGoOnBeyondThirtyTwoBits() {
        LongMap<String> values = new LongMap<>();
        long first = Integer.MAX_VALUE - 1L;
        for (long number = first; number < first + 4; number++) {
            values.put(number, "value " + (number - first));
        }
        values.remove(first + 1);
        assertThat(values).containsExactly("value 0", "value 2", "value 3");
        assertThat(values.get(first + 2)).isEqualTo("value 2");
    }

    @Test
    void mayBeChangedWhileItIsGoneThrough() {
        LongMap<String> values = new LongMap<>();
        values.put(1, "a");
        values.put(2, "b");
        for (String value : values) {
            values.remove(1);
            values.put(3, value);
        }
        assertThat(values).containsExactly("b", "b");
    }

    @Test
    void roomIsGivenBack() {
        LongMap<String> values = new LongMap<>();
        for (int number = 0; number < 1000; number++) {
            values.put(number, "value " + number);
        }
        for (int number = 0; number < 998; number++) {
            values.remove(number);
        }
        assertThat(values.capacity()).isLessThan(100);
        assertThat(values).containsExactly("value 998", "value 999");
        assertThat(values.get(999)).isEqualTo("value 999");
    }
}
