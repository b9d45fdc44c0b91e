package io.quorate.oracles;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.oracles.Comparison.Subject;
import io.quorate.testkit.simulation.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/** Compares the faithful variant of an algorithm with an oracle, in 1,000 random schedules. */
abstract class OracleTests {

    private static final int SCHEDULES = 1_000;

    private final Subject subject;
    private final Map<String, String> decisions;
    private final List<String> rules;
    private final Set<String> types;
    private final int eventsMin;

    /**
     * A comparison.
     *
     * @param subject   what is compared
     * @param decisions what the source leaves open or says otherwise, with the place in the algorithm's document
     * @param rules     the rules of the source that can be changed in the oracle
     * @param types     all types of messages of the source
     * @param eventsMin how many events all schedules have at least, so that they cannot run dry unnoticed
     */
    OracleTests(Subject subject, Map<String, String> decisions, List<String> rules, Set<String> types, int eventsMin) {
        this.subject = subject;
        this.decisions = decisions;
        this.rules = rules;
        this.types = types;
        this.eventsMin = eventsMin;
    }

    List<String> rules() {
        return rules;
    }

    Map<String, String> decisions() {
        return decisions;
    }

    @Test
    void machineDoesWhatTheSourceSays(TestReporter reporter) {
        Set<String> sent = new TreeSet<>();
        Set<String> asked = new TreeSet<>();
        int[] counts = new int[2];
        Seeds.each(SCHEDULES, 1, seed -> {
            Comparison comparison = new Comparison(subject, "", seed);
            assertThat(comparison.run()).as("first difference").isEmpty();
            counts[0] += comparison.events();
            counts[1] += comparison.messages();
            sent.addAll(comparison.types());
            asked.addAll(comparison.asked());
        });
        reporter.publishEntry("%s: %d events and %d messages compared, no difference"
                .formatted(getClass().getSimpleName(), counts[0], counts[1]));
        boolean isOneSeed = !System.getProperty("seed", "").isBlank();
        if (!isOneSeed) {
            assertThat(counts[0]).as("events").isGreaterThan(eventsMin);
            assertThat(sent).as("types of messages").isEqualTo(types);
            assertThat(asked).as("what can be changed").isEqualTo(changes());
        }
    }

    private Set<String> changes() {
        Set<String> changes = new TreeSet<>(rules);
        changes.addAll(decisions.keySet());
        return changes;
    }

    // A comparison that overlooks a changed rule proves nothing about that rule.
    @TestFactory
    Stream<DynamicTest> changedRuleIsNoticed() {
        return rules.stream().map(rule -> DynamicTest.dynamicTest(rule, () -> assertNoticed(rule)));
    }

    // A decision that makes no difference is not needed.
    @TestFactory
    Stream<DynamicTest> otherReadingOfEachDecisionIsNoticed() {
        return decisions.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.getKey() + " (" + entry.getValue() + ")", () -> assertNoticed(entry.getKey())));
    }

    private void assertNoticed(String change) {
        Optional<String> difference = LongStream.rangeClosed(1, SCHEDULES)
                .mapToObj(seed -> new Comparison(subject, change, seed).run())
                .flatMap(Optional::stream)
                .findFirst();
        assertThat(difference).as("difference if '%s' is changed", change).isPresent();
    }
}
