package io.quorate.testkit.simulation;

import io.quorate.testkit.simulation.BrokenRule.Rule;
import io.quorate.testkit.simulation.Fault.Kind;
import io.quorate.testkit.simulation.Scenario.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes a scenario that breaks a rule as small as it can, so that the same rule is still broken: fewer faults (delta
 * debugging: halves first, then quarters, down to single ones), then shorter ones, then a simpler cluster.
 */
final class Shrinker {

    private final Function<Scenario, Optional<BrokenRule>> run;
    private final Rule rule;
    private final int runsMax;
    private int runs;

    private Shrinker(Function<Scenario, Optional<BrokenRule>> run, Rule rule, int runsMax) {
        this.run = run;
        this.rule = rule;
        this.runsMax = runsMax;
    }

    /**
     * The smallest scenario that was found.
     *
     * @param run     answers which rule a scenario breaks
     * @param runsMax so many attempts at most
     */
    static Scenario shrink(Scenario scenario, Rule rule, int runsMax, Function<Scenario, Optional<BrokenRule>> run) {
        Shrinker shrinker = new Shrinker(run, rule, runsMax);
        Scenario smallest = scenario;
        for (Scenario before = null; !smallest.equals(before); ) {
            before = smallest;
            smallest = shrinker.fewerFaults(smallest);
            smallest = shrinker.simplerFaults(smallest);
            smallest = shrinker.simplerSetup(smallest);
        }
        return smallest;
    }

    private boolean stillBreaks(Scenario scenario) {
        return runs++ < runsMax
                && run.apply(scenario).filter(broken -> broken.rule() == rule).isPresent();
    }

    private Scenario fewerFaults(Scenario scenario) {
        Scenario smallest = scenario;
        for (int chunk = (scenario.faults().size() + 1) / 2; chunk >= 1; chunk /= 2) {
            for (int from = 0; from < smallest.faults().size(); ) {
                List<Fault> fewer = new ArrayList<>(smallest.faults());
                fewer.subList(from, Math.min(from + chunk, fewer.size())).clear();
                Scenario candidate = smallest.withFaults(fewer);
                if (stillBreaks(candidate)) {
                    smallest = candidate;
                } else {
                    from += chunk;
                }
            }
        }
        return smallest;
    }

    private Scenario simplerFaults(Scenario scenario) {
        Scenario smallest = scenario;
        for (int i = 0; i < smallest.faults().size(); i++) {
            Fault fault = smallest.faults().get(i);
            for (Fault simpler : simpler(fault)) {
                List<Fault> changed = new ArrayList<>(smallest.faults());
                changed.set(i, simpler);
                Scenario candidate = smallest.withFaults(changed);
                if (stillBreaks(candidate)) {
                    smallest = candidate;
                    break;
                }
            }
        }
        return smallest;
    }

    private static List<Fault> simpler(Fault fault) {
        List<Fault> simpler = new ArrayList<>();
        if ((fault.kind() == Kind.CONTEND_MANY || fault.kind() == Kind.WORK) && fault.amount() > 1) {
            simpler.add(fault.withAmount(fault.amount() / 2));
            simpler.add(fault.withAmount(fault.amount() - Math.max(1, fault.amount() / 4)));
        }
        if (fault.isContender() && !fault.isForEver()) {
            simpler.add(fault.during(fault.at(), Storm.FOR_EVER));
        } else if (fault.isContender()) {
            if (fault.at() > 0) {
                simpler.add(fault.during(0, fault.until()));
            }
        } else if (!fault.isForEver() && fault.until() - fault.at() > 50) {
            simpler.add(fault.during(fault.at(), (fault.at() + fault.until()) / 2 / 10 * 10));
            simpler.add(fault.during(fault.at(), fault.until() - (fault.until() - fault.at()) / 4));
        }
        return simpler;
    }

    private Scenario simplerSetup(Scenario scenario) {
        Scenario smallest = scenario;
        Setup setup = scenario.setup();
        Setup usual = Setup.DEFAULT;
        for (Setup simpler : List.of(
                usual,
                usual.withVoters(setup.voters()),
                new Setup(
                        setup.voters(),
                        0,
                        setup.isDurable(),
                        setup.rankOrder(),
                        setup.preempt(),
                        setup.heartbeat(),
                        setup.support(),
                        setup.driftPercent(),
                        setup.delayMaxMicros()))) {
            Scenario candidate = smallest.withSetup(simpler);
            if (!simpler.equals(smallest.setup()) && namesOnlyItsNodes(candidate) && stillBreaks(candidate)) {
                return candidate;
            }
        }
        return smallest;
    }

    private static boolean namesOnlyItsNodes(Scenario scenario) {
        List<String> nodes =
                scenario.setup().nodes().stream().map(node -> node.value()).toList();
        return scenario.faults().stream().allMatch(fault -> namesOnly(fault.where(), nodes));
    }

    private static boolean namesOnly(String where, List<String> nodes) {
        String sides = where.contains("/") ? where.substring(0, where.indexOf('/')) : where;
        for (String name : sides.split("[->,!]+")) {
            if (!name.isEmpty() && !name.equals("*") && !name.equals("leader") && !nodes.contains(name)) {
                return false;
            }
        }
        return true;
    }
}
