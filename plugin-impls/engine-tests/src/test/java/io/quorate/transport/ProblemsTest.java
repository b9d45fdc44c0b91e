package io.quorate.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which problems a part of a node has, with the clock of the test. */
class ProblemsTest {

    private static final Duration LENGTH = Duration.ofSeconds(15);

    private long now;
    private final Problems problems = new Problems(() -> now);

    private List<String> texts() {
        return problems.list().stream().map(Problem::text).toList();
    }

    @Test
    void problemsLastUntilTheyAreRemoved() {
        problems.note("terms", Problem.Kind.TERMS, "full");
        now += Duration.ofDays(365).toNanos();
        assertThat(problems.list()).containsExactly(new Problem(Problem.Kind.TERMS, "full"));
        problems.note("terms", Problem.Kind.TERMS, "read-only");
        assertThat(texts()).containsExactly("read-only");
        problems.remove("voters");
        assertThat(texts()).containsExactly("read-only");
        problems.remove("terms");
        assertThat(texts()).isEmpty();
    }

    // The readings of the clock may overflow.
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 1, Long.MIN_VALUE})
    void refusalsEndUnlessTheyAreRepeated(long begin) {
        now = begin;
        problems.note("n2", Problem.Kind.SECRET, "first", LENGTH);
        now += LENGTH.toNanos() - 1;
        assertThat(texts()).containsExactly("first");
        problems.note("n2", Problem.Kind.SECRET, "again", LENGTH);
        now += LENGTH.toNanos() - 1;
        assertThat(texts()).containsExactly("again");
        now++;
        assertThat(texts()).isEmpty();
    }

    @Test
    void problemsOfStrangersAreBounded() {
        for (int i = 0; i < 2 * Transport.PROBLEMS_MAX; i++) {
            problems.note("n" + i, Problem.Kind.MISMATCH, "y".repeat(10_000) + '\n', LENGTH);
        }
        assertThat(problems.list()).hasSize(Transport.PROBLEMS_MAX);
        assertThat(texts()).allSatisfy(text -> assertThat(text).hasSizeLessThan(600));
        // There is room again when they are over.
        now += LENGTH.toNanos();
        problems.note("terms", Problem.Kind.TERMS, "full");
        assertThat(texts()).containsExactly("full");
    }

    // Transports, file names and paths are the choice of others.
    @Test
    void textsArePrintableAndBounded() {
        String text = new Problem(Problem.Kind.KEYS, "a\u001b[2J\n" + "y".repeat(70_000)).text();
        assertThat(text).startsWith("a").doesNotContain("\u001b", "\n").hasSizeLessThan(600);
    }

    @Test
    void sentencesNameTheFirstProblems() {
        assertThat(Problems.added("it waits", List.of())).isEqualTo("it waits");
        List<Problem> four = List.of("a", "b", "c", "d").stream()
                .map(text -> new Problem(Problem.Kind.KEYS, text + "!"))
                .toList();
        assertThat(Problems.added("it waits", four)).isEqualTo("it waits; a!; b!; c!; and 1 more problems");
        assertThat(Problems.added("it waits for b!", four.subList(0, 2)))
                .as("what it says already")
                .isEqualTo("it waits for b!; a!");
    }
}
