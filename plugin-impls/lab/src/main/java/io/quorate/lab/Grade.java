package io.quorate.lab;

import io.quorate.lab.RuleSearch.Faults;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.picture.Picture.Way;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rules that a student's algorithm keeps and breaks: docs/lab.md#course-kit. The model checker tries each order of events in
 * each of the cases. In a case it asks for the rules that the documented algorithm keeps there.
 *
 * @param algorithm of the student
 * @param reference the documented one
 * @param verdicts  one for each rule that was asked for
 */
record Grade(ElectionAlgorithm algorithm, ElectionAlgorithm reference, List<Verdict> verdicts) {

    private static final int SIZE = 3;

    /** The cases of one fault with the documented machines have fewer, if they end at all. They take a second together. */
    private static final int STATES_MAX = 15_000;

    /** More are asked about only where a machine has more states than the bound, and show what grows. */
    private static final int MESSAGES_MAX = 15;

    private static final String FEW = "FewMessages";

    /** All together have more states. */
    private static final List<Faults> CASES = RuleSearch.CASES.subList(0, RuleSearch.CASES.size() - 1);

    /**
     * The start and the faults of a check.
     *
     * @param isLed whether all know the highest process as the leader at first
     */
    private record Case(Faults faults, boolean isLed) {
        String words() {
            return faults.words() + (isLed ? ", with P" + (SIZE - 1) + " as the leader at first" : "");
        }

        ModelChecker of(ElectionAlgorithm algorithm) {
            ModelChecker check = faults.in(RuleSearch.model(algorithm, Variant.FAITHFUL, SIZE))
                    .statesMax(STATES_MAX)
                    .stopAtStatesMax();
            return isLed ? check.initialLeader(SIZE - 1) : check;
        }
    }

    /**
     * The broken rules of a case.
     *
     * @param isWhole whether all states were looked at
     */
    private record Finding(Case where, Set<ElectionRule> asked, Map<String, Violation> broken, boolean isWhole) {

        boolean isAsked(String rule) {
            return asked.stream().anyMatch(one -> one.written().equals(rule));
        }

        Violation of(String rule) {
            return Objects.requireNonNull(broken.get(rule));
        }
    }

    /**
     * A rule that was asked for, with its meaning.
     *
     * @param broken the shortest run that breaks it, if there is one
     */
    private record Verdict(String rule, String meaning, String word, String more, Optional<Violation> broken) {

        static Verdict of(String rule, String meaning, List<Finding> all) {
            Optional<Finding> worst = all.stream()
                    .filter(one -> one.broken.containsKey(rule))
                    .min(Comparator.comparing(one -> one.of(rule).run().size()));
            if (worst.isPresent()) {
                Violation violation = worst.get().of(rule);
                int steps = violation.run().size();
                String end = steps == 0
                        ? "at the start"
                        : "after step " + steps + ", "
                                + violation.run().get(steps - 1).step().words();
                return new Verdict(
                        rule, meaning, "FAILED", worst.get().where.words() + ": " + end, Optional.of(violation));
            }
            Optional<Finding> part = all.stream().filter(one -> !one.isWhole).findFirst();
            if (part.isPresent()) {
                String more = part.get().where.words() + ": there are more than " + STATES_MAX
                        + " states; does something grow forever?";
                return new Verdict(rule, meaning, "unknown", more, Optional.empty());
            }
            long asked = all.stream().filter(one -> one.isAsked(rule)).count();
            return new Verdict(
                    rule, meaning, "passed", "in " + asked + " of " + all.size() + " cases", Optional.empty());
        }

        String text() {
            return String.format(Locale.ROOT, "  %-10s%-38s%s%n%s%s%n", word, rule, meaning, " ".repeat(12), more);
        }
    }

    /** Checks it. The reference gives the rules that are asked for. */
    static Grade of(ElectionAlgorithm algorithm, ElectionAlgorithm reference) {
        List<Finding> findings = new ArrayList<>();
        for (Faults faults : CASES) {
            for (boolean isLed : List.of(false, true)) {
                // With a restart and without a leader at first, each documented machine has too many states. A state
                // that grows forever does so in all cases.
                if ((isLed || faults.restarts() == 0) && findings.stream().allMatch(Finding::isWhole)) {
                    Case where = new Case(faults, isLed);
                    Set<ElectionRule> asked = kept(reference, where);
                    // The runs without a fault are a part of all other cases.
                    Check.argument(
                            !asked.isEmpty() || !findings.isEmpty(),
                            "--like '%s': must be an algorithm that has at most %d states without a fault, such as bully or lcr",
                            reference.name(),
                            STATES_MAX);
                    findings.add(
                            asked.isEmpty()
                                    ? new Finding(where, asked, Map.of(), true)
                                    : found(algorithm, where, asked));
                }
            }
        }
        List<Verdict> verdicts = new ArrayList<>();
        findings.stream()
                .filter(one -> !one.isWhole && one.broken.containsKey(FEW))
                .forEach(one -> verdicts.add(Verdict.of(
                        FEW, "at most " + MESSAGES_MAX + " messages are on their way together", List.of(one))));
        for (ElectionRule rule : ElectionRule.values()) {
            if (findings.stream().anyMatch(one -> one.isAsked(rule.written()))) {
                verdicts.add(Verdict.of(rule.written(), rule.meaning(), findings));
            }
        }
        return new Grade(algorithm, reference, verdicts);
    }

    /** The rules that the documented algorithm keeps in all states of this case; none if there are too many to know. */
    private static Set<ElectionRule> kept(ElectionAlgorithm reference, Case where) {
        Finding finding = found(reference, where, EnumSet.complementOf(EnumSet.of(ElectionRule.BLE3)));
        return finding.asked.stream()
                .filter(rule -> finding.isWhole && !finding.broken.containsKey(rule.written()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(ElectionRule.class)));
    }

    private static Finding found(ElectionAlgorithm algorithm, Case where, Set<ElectionRule> asked) {
        ModelChecker check = where.of(algorithm).findAll().always(FEW, world -> world.messages() <= MESSAGES_MAX);
        asked.forEach(rule -> rule.in(check));
        Result result = check.run();
        Map<String, Violation> broken =
                result.violations().stream().collect(Collectors.toMap(Violation::property, violation -> violation));
        return new Finding(where, asked, broken, result.cutOff() == 0);
    }

    boolean hasPassed() {
        return verdicts.stream().allMatch(verdict -> verdict.word.equals("passed"));
    }

    boolean hasFailed() {
        return !failed().isEmpty();
    }

    private List<Verdict> failed() {
        return verdicts.stream().filter(verdict -> verdict.broken.isPresent()).toList();
    }

    String text() {
        return algorithm.name() + ", asked for what " + reference.name() + " keeps as documented: " + SIZE
                + " processes, each order of events\n"
                + verdicts.stream().map(Verdict::text).collect(Collectors.joining())
                + (hasPassed()
                        ? "All " + verdicts.size() + " rules hold.\n"
                        : hasFailed()
                                ? failed().size() + " of " + verdicts.size() + " rules are broken.\n"
                                : "Not all rules are known to hold.\n");
    }

    /** The shortest run that breaks each rule, side by side. */
    LabRun picture() {
        List<Way> ways = new ArrayList<>();
        for (Verdict verdict : failed()) {
            Violation violation = verdict.broken.orElseThrow();
            String rule = verdict.rule;
            ways.add(new Way(
                    rule,
                    Counterexample.recording(
                            violation,
                            LabWords.ofCheck(algorithm, LabWay.DOCUMENTED, SIZE),
                            algorithm.name() + " breaks " + rule,
                            rule + " says: " + verdict.meaning),
                    LabNotes.of(algorithm.name(), Variant.FAITHFUL)));
        }
        String story = failed().stream()
                .map(verdict -> verdict.rule + " says: " + verdict.meaning + ".")
                .collect(Collectors.joining(" "));
        return new LabRun(
                algorithm.name(), "rules that it breaks", story + " A step takes a millisecond.", ways, List.of());
    }
}
