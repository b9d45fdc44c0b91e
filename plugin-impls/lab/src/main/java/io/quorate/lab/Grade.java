package io.quorate.lab;

import io.quorate.lab.RuleSearch.Faults;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Guarantee;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.picture.Picture.Way;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules that a student's algorithm keeps and breaks: docs/lab.md#course-kit. The model checker tries each order of events in
 * each of the cases. In a case it asks for the rules that the documented algorithm keeps there.
 *
 * @param algorithm of the student
 * @param reference the documented one, if there is one
 * @param verdicts  one for each rule that was asked for
 */
record Grade(ElectionAlgorithm algorithm, Optional<ElectionAlgorithm> reference, List<Verdict> verdicts) {

    private static final int SIZE = 3;

    /** The cases of one fault with the documented machines have fewer, if they end at all. They take a second together. */
    private static final int STATES_MAX = 15_000;

    /** All together have more states. */
    private static final List<Faults> CASES = RuleSearch.CASES.subList(0, RuleSearch.CASES.size() - 1);

    /** No fault and a crash: what an election survives that has no document, as far as the checker asks. */
    private static final List<Faults> WITHOUT_DOCUMENT = RuleSearch.CASES.subList(0, 2);

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
     * @param isWhole whether all states were looked at, if no rule is broken
     */
    private record Finding(Case where, Set<ElectionRule> asked, Map<ElectionRule, Violation> broken, boolean isWhole) {}

    /**
     * A rule that was asked for.
     *
     * @param broken the shortest run that breaks it, if there is one
     */
    private record Verdict(ElectionRule rule, String word, String more, Optional<Violation> broken) {

        static Verdict of(ElectionRule rule, List<Finding> all) {
            List<Finding> asked =
                    all.stream().filter(one -> one.asked.contains(rule)).toList();
            Optional<Finding> worst = asked.stream()
                    .filter(one -> one.broken.containsKey(rule))
                    .min(Comparator.comparing(one -> steps(one, rule)));
            if (worst.isPresent()) {
                Violation violation = Objects.requireNonNull(worst.get().broken.get(rule));
                String more = worst.get().where.words() + ": "
                        + (violation.run().isEmpty()
                                ? "at the start"
                                : "after step " + violation.run().size() + ", "
                                        + violation
                                                .run()
                                                .get(violation.run().size() - 1)
                                                .step()
                                                .words());
                return new Verdict(rule, "FAILED", more, Optional.of(violation));
            }
            return all.stream()
                    .filter(one -> !one.isWhole)
                    .findFirst()
                    .map(one -> new Verdict(
                            rule,
                            "unknown",
                            one.where.words() + ": there are more than " + STATES_MAX
                                    + " states; does something grow forever?",
                            Optional.empty()))
                    .orElse(new Verdict(
                            rule, "passed", "in " + asked.size() + " of " + all.size() + " cases", Optional.empty()));
        }

        private static int steps(Finding finding, ElectionRule rule) {
            return Objects.requireNonNull(finding.broken.get(rule)).run().size();
        }

        String text() {
            return String.format(
                    Locale.ROOT, "  %-10s%-38s%s%n%s%s%n", word, rule.written(), rule.meaning(), " ".repeat(12), more);
        }
    }

    /** Checks it. The reference gives the rules that are asked for; without one, all that any election should keep. */
    static Grade of(ElectionAlgorithm algorithm, Optional<ElectionAlgorithm> reference) {
        List<Finding> findings = new ArrayList<>();
        List<Case> cases = (reference.isPresent() ? CASES : WITHOUT_DOCUMENT)
                .stream()
                        .flatMap(faults -> Stream.of(new Case(faults, false), new Case(faults, true)))
                        .toList();
        for (Case where : cases) {
            // A state that grows forever does so in all cases.
            if (reference.isEmpty() || findings.stream().allMatch(Finding::isWhole)) {
                Set<ElectionRule> asked = reference.isPresent() ? kept(reference.get(), where) : promised(algorithm);
                // The runs without a fault are a part of all other cases.
                Check.argument(
                        !asked.isEmpty() || !findings.isEmpty(),
                        "--like '%s': must be an algorithm that has at most %d states without a fault, such as bully or lcr",
                        reference.map(ElectionAlgorithm::name).orElse(""),
                        STATES_MAX);
                findings.add(
                        asked.isEmpty() ? new Finding(where, asked, Map.of(), true) : found(algorithm, where, asked));
            }
        }
        List<Verdict> verdicts = Stream.of(ElectionRule.values())
                .filter(rule -> findings.stream().anyMatch(one -> one.asked.contains(rule)))
                .map(rule -> Verdict.of(rule, findings))
                .toList();
        return new Grade(algorithm, reference, verdicts);
    }

    /** The rules that the documented algorithm keeps in all states of this case; none if there are too many to know. */
    private static Set<ElectionRule> kept(ElectionAlgorithm reference, Case where) {
        Finding finding = found(reference, where, EnumSet.complementOf(EnumSet.of(ElectionRule.BLE3)));
        Set<ElectionRule> kept = EnumSet.noneOf(ElectionRule.class);
        if (finding.isWhole) {
            kept.addAll(finding.asked);
            kept.removeAll(finding.broken.keySet());
        }
        return kept;
    }

    private static Set<ElectionRule> promised(ElectionAlgorithm algorithm) {
        Set<ElectionRule> asked = EnumSet.allOf(ElectionRule.class);
        RuleSearch search = new RuleSearch(algorithm, Variant.FAITHFUL, SIZE, STATES_MAX);
        asked.removeIf(rule -> rule == ElectionRule.BLE3 && !search.promises(Guarantee.MONOTONIC_MARKS)
                || rule == ElectionRule.HIGHEST && !search.promises(Guarantee.HIGHEST_LEADS));
        return asked;
    }

    private static Finding found(ElectionAlgorithm algorithm, Case where, Set<ElectionRule> asked) {
        Map<ElectionRule, Violation> broken = new EnumMap<>(ElectionRule.class);
        while (true) {
            ModelChecker check = where.of(algorithm);
            for (ElectionRule rule : asked) {
                check = broken.containsKey(rule) ? check : rule.in(check);
            }
            Result result = check.run();
            Optional<Violation> found = result.violation();
            if (found.isEmpty()) {
                return new Finding(where, asked, broken, result.cutOff() == 0);
            }
            // A check ends at the first rule that it finds broken.
            asked.stream()
                    .filter(rule -> rule.written().equals(found.get().property()))
                    .forEach(rule -> broken.put(rule, found.get()));
        }
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
        return algorithm.name()
                + reference
                        .map(other -> ", asked for what " + other.name() + " keeps as documented")
                        .orElse("")
                + ": " + SIZE + " processes, each order of events\n"
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
            String rule = verdict.rule.written();
            ways.add(new Way(
                    rule,
                    Counterexample.recording(
                            violation,
                            LabWords.ofCheck(algorithm, LabWay.DOCUMENTED, SIZE),
                            algorithm.name() + " breaks " + rule,
                            rule + " says: " + verdict.rule.meaning()),
                    LabNotes.of(algorithm.name(), Variant.FAITHFUL)));
        }
        String story = failed().stream()
                .map(verdict -> verdict.rule.written() + " says: " + verdict.rule.meaning() + ".")
                .collect(Collectors.joining(" "));
        return new LabRun(
                algorithm.name(), "rules that it breaks", story + " A step takes a millisecond.", ways, List.of());
    }
}
