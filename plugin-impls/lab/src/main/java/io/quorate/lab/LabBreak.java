package io.quorate.lab;

import io.quorate.lab.RuleSearch.Found;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Guarantee;
import io.quorate.testkit.model.AlgorithmFailed;
import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.model.Step;
import io.quorate.testkit.simulation.FoundAlgorithms;
import io.quorate.testkit.simulation.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A search for the shortest run in which an algorithm breaks a rule: docs/lab.md#break-a-rule.
 *
 * @param run  the run, if there is one
 * @param explorer makes the page that opens at its end
 * @param text what was found, if there is none
 */
record LabBreak(Optional<LabRun> run, Supplier<Optional<Explorer>> explorer, String text) {

    private static final int NODES = 3;

    /** One of the two forms of an algorithm, and the name of the class that it runs in. */
    private record Form(ElectionAlgorithm algorithm, LabWay way, String machine) {

        static Form of(ElectionAlgorithm algorithm, LabWay way) {
            return new Form(algorithm, way, RuleSearch.machine(algorithm, way.variant()));
        }

        boolean hasName(String name) {
            return algorithm.name().equals(name) || machine.equals(name);
        }

        String words() {
            return algorithm.name() + ", " + way.words();
        }
    }

    /**
     * Looks for it.
     *
     * @param wanted an algorithm and a rule with a colon between them
     * @param nodes  so many processes, 3 if null
     * @param ways   documented or hardened, if the name of the algorithm does not say it; documented if it is empty
     * @throws IllegalArgumentException if there is no such algorithm or rule; names the nearest one
     * @throws AlgorithmFailed          if the algorithm throws; says at what
     */
    static LabBreak of(String classPath, String wanted, @Nullable Integer nodes, List<LabWay> ways) {
        FoundAlgorithms algorithms = LabAlgorithms.on(classPath);
        int colon = wanted.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "--break '" + wanted + "': must be ALGORITHM:RULE, such as bully:OneLeader");
        }
        int size = nodes == null ? NODES : nodes;
        if (size < 1 || size > RuleSearch.SIZE_MAX) {
            throw new IllegalArgumentException("--nodes " + size + ": must be from 1 to " + RuleSearch.SIZE_MAX
                    + " with --break, because each order of events is looked at");
        }
        ElectionRule rule = rule(wanted.substring(colon + 1));
        Form form = form(algorithms, wanted.substring(0, colon), ways);
        RuleSearch search = new RuleSearch(form.algorithm, form.way.variant(), size, RuleSearch.STATES_MAX);
        if (rule == ElectionRule.BLE3 && !search.promises(Guarantee.MONOTONIC_MARKS)) {
            throw new IllegalArgumentException(
                    "rule 'BLE3': must not be asked of " + form.words() + ", which does not promise rising marks");
        }
        Found found = search.run(rule);
        return new LabBreak(
                found.violation().map(violation -> drawn(form, rule, found, violation)),
                () -> found.violation().map(violation -> explored(form, rule, size, found, violation)),
                holds(form, rule, size, found));
    }

    private static ElectionRule rule(String name) {
        List<String> names =
                Arrays.stream(ElectionRule.values()).map(ElectionRule::written).toList();
        return Arrays.stream(ElectionRule.values())
                .filter(rule -> rule.written().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("rule '" + name + "': must be one of "
                        + String.join(", ", names) + Nearest.question(name, names)));
    }

    private static Form form(FoundAlgorithms algorithms, String name, List<LabWay> ways) {
        List<Form> all = new ArrayList<>();
        for (ElectionAlgorithm algorithm : algorithms.byName().values()) {
            for (LabWay way : List.of(LabWay.DOCUMENTED, LabWay.HARDENED)) {
                try {
                    all.add(Form.of(algorithm, way));
                } catch (AlgorithmFailed e) {
                    // The others can be asked all the same.
                    if (algorithm.name().equals(name)) {
                        throw e;
                    }
                }
            }
        }
        List<Form> named = all.stream().filter(form -> form.hasName(name)).toList();
        if (named.isEmpty()) {
            List<String> names = new ArrayList<>(algorithms.names());
            all.forEach(form -> names.add(form.machine));
            throw new IllegalArgumentException("algorithm '" + name + "': must be one of "
                    + names.stream().distinct().collect(Collectors.joining(", ")) + Nearest.question(name, names));
        }
        return named.stream()
                .filter(form -> ways.isEmpty() || ways.equals(List.of(form.way)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--way " + LabWay.names(ways) + ": must be "
                        + named.stream().map(form -> form.way.words()).collect(Collectors.joining(" or "))
                        + " with --break " + name + ", because what is looked at is the algorithm alone"));
    }

    private static LabRun drawn(Form form, ElectionRule rule, Found found, Violation violation) {
        String title = form.way.words() + " breaks " + rule.written();
        String faults = violation.faults().isEmpty()
                ? "no fault"
                : violation.faults().size() + " of them a fault: " + String.join("; ", violation.faults());
        // An unexplored run may break it sooner.
        String more = found.more();
        String story = rule.written() + " says: " + rule.meaning() + ". The shortest run "
                + (more.isEmpty() ? "" : "found ") + "that breaks it has "
                + violation.run().size() + (violation.run().size() == 1 ? " step, " : " steps, ") + faults + ". "
                + found.states()
                + " states were looked at in all cases together." + more + " A step takes a millisecond.";
        LabWords words =
                LabWords.ofCheck(form.algorithm, form.way, violation.first().size());
        return new LabRun(
                form.algorithm.name(),
                title,
                story,
                LabRun.way(
                        form.way,
                        form.algorithm.name(),
                        Counterexample.recording(violation, words, form.algorithm.name() + ": " + title, story)));
    }

    private static Explorer explored(Form form, ElectionRule rule, int size, Found found, Violation violation) {
        List<Step> run = violation.run().stream().map(Moment::step).toList();
        return Explorer.of(
                form.algorithm, form.way, size, found.faults(), run, rule.written() + " says: " + rule.meaning() + ".");
    }

    private static String holds(Form form, ElectionRule rule, int size, Found found) {
        String more = found.more();
        return form.words() + ": " + rule.written() + " holds in all " + found.states()
                + " states that were looked at in all cases together, of " + size + " processes.\n  Looked at: "
                + String.join("; ", RuleSearch.cases()) + ".\n "
                + (more.isEmpty() ? " These are all there are." : more) + "\n";
    }
}
