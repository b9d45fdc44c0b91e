package io.quorate.lab;

import io.quorate.lab.RuleSearch.Faults;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Guarantee;
import io.quorate.spi.Variant;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.picture.Picture.Way;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * @param verdicts  one for each rule
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
     * A rule, and whether it was found broken.
     *
     * @param cases  in how many it was asked for
     * @param broken the shortest run that breaks it, if there is one
     * @param where  the case of that run; empty if there is none
     */
    record Verdict(ElectionRule rule, int cases, Optional<Violation> broken, String where) {

        private String text(Optional<ElectionAlgorithm> reference) {
            String word = cases == 0 ? "not asked" : broken.isEmpty() ? "passed" : "FAILED";
            String line = String.format(Locale.ROOT, "  %-10s%-38s%s%n", word, rule.written(), rule.meaning());
            String more = cases == 0
                    ? rule == ElectionRule.BLE3
                            ? "no marks that rise are promised"
                            : reference
                                    .map(other -> other.name() + " breaks it, too")
                                    .orElse("not promised")
                    : broken.map(this::told).orElse("in " + cases + (cases == 1 ? " case" : " cases"));
            return line + " ".repeat(12) + more + "\n";
        }

        private String told(Violation violation) {
            int steps = violation.run().size();
            return where + ": "
                    + (steps == 0
                            ? "at the start"
                            : "after " + steps + (steps == 1 ? " step, " : " steps, the last one: ")
                                    + violation.run().get(steps - 1).step().words());
        }
    }

    /** Checks it. The reference gives the rules that are asked for; without one, all that any election should keep. */
    static Grade of(ElectionAlgorithm algorithm, Optional<ElectionAlgorithm> reference) {
        Map<ElectionRule, Integer> cases = new EnumMap<>(ElectionRule.class);
        Map<ElectionRule, Violation> shortest = new EnumMap<>(ElectionRule.class);
        Map<ElectionRule, String> where = new EnumMap<>(ElectionRule.class);
        List<Faults> faults = reference.isPresent() ? CASES : WITHOUT_DOCUMENT;
        List<Case> all = faults.stream()
                .flatMap(some -> Stream.of(new Case(some, false), new Case(some, true)))
                .toList();
        // The runs without a fault are a part of all other cases.
        Check.argument(
                reference.isEmpty() || isWhole(reference.get(), all.get(0)),
                "--like '%s': must be an algorithm that has at most %d states without a fault, such as bully or lcr",
                reference.map(ElectionAlgorithm::name).orElse(""),
                STATES_MAX);
        for (Case one : all) {
            Set<ElectionRule> asked = reference.isPresent() ? kept(reference.get(), one) : promised(algorithm);
            asked.forEach(rule -> cases.merge(rule, 1, Integer::sum));
            broken(algorithm, one, asked).forEach((rule, violation) -> {
                Violation before = shortest.get(rule);
                if (before == null || violation.run().size() < before.run().size()) {
                    shortest.put(rule, violation);
                    where.put(rule, one.words());
                }
            });
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (ElectionRule rule : ElectionRule.values()) {
            verdicts.add(new Verdict(
                    rule,
                    cases.getOrDefault(rule, 0),
                    Optional.ofNullable(shortest.get(rule)),
                    where.getOrDefault(rule, "")));
        }
        return new Grade(algorithm, reference, verdicts);
    }

    /** The rules that the documented algorithm keeps in all states of this case; none if there are too many to know. */
    private static Set<ElectionRule> kept(ElectionAlgorithm reference, Case one) {
        if (!isWhole(reference, one)) {
            return Set.of();
        }
        Set<ElectionRule> kept = EnumSet.complementOf(EnumSet.of(ElectionRule.BLE3));
        kept.removeAll(broken(reference, one, kept).keySet());
        return kept;
    }

    private static boolean isWhole(ElectionAlgorithm algorithm, Case one) {
        return one.of(algorithm).run().cutOff() == 0;
    }

    private static Set<ElectionRule> promised(ElectionAlgorithm algorithm) {
        Set<ElectionRule> asked = EnumSet.allOf(ElectionRule.class);
        RuleSearch search = new RuleSearch(algorithm, Variant.FAITHFUL, SIZE, STATES_MAX);
        asked.removeIf(rule -> rule == ElectionRule.BLE3 && !search.promises(Guarantee.MONOTONIC_MARKS)
                || rule == ElectionRule.HIGHEST && !search.promises(Guarantee.HIGHEST_LEADS));
        return asked;
    }

    /** Those of the rules that are broken in a case, each with its shortest run. */
    private static Map<ElectionRule, Violation> broken(ElectionAlgorithm algorithm, Case one, Set<ElectionRule> asked) {
        Map<ElectionRule, Violation> broken = new EnumMap<>(ElectionRule.class);
        List<ElectionRule> left = new ArrayList<>(asked);
        boolean goesOn = !left.isEmpty();
        while (goesOn) {
            ModelChecker check = one.of(algorithm);
            for (ElectionRule rule : left) {
                check = rule.in(check);
            }
            // A check ends at the first rule that it finds broken.
            Optional<Violation> found = check.run().violation();
            goesOn = found.isPresent();
            found.ifPresent(violation -> left.removeIf(
                    rule -> rule.written().equals(violation.property()) && broken.put(rule, violation) == null));
        }
        return broken;
    }

    boolean hasPassed() {
        return failed().isEmpty();
    }

    private List<Verdict> failed() {
        return verdicts.stream().filter(verdict -> verdict.broken.isPresent()).toList();
    }

    String text() {
        long asked = verdicts.stream().filter(verdict -> verdict.cases > 0).count();
        return algorithm.name()
                + reference
                        .map(other -> ", asked for what " + other.name() + " keeps as documented")
                        .orElse("")
                + ": " + SIZE + " processes, each order of events\n"
                + verdicts.stream().map(verdict -> verdict.text(reference)).collect(Collectors.joining())
                + (hasPassed()
                        ? "All " + asked + " rules hold.\n"
                        : failed().size() + " of " + asked + " rules are broken.\n");
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
