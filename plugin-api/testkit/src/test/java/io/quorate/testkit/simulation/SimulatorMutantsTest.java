package io.quorate.testkit.simulation;

import io.quorate.testkit.Mutants.Mutant;
import io.quorate.testkit.Mutants;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The simulator is a judge: what is wrong with it is found by its own tests, because no storm would show it. */
@Tag("mutants")
class SimulatorMutantsTest {

    private static Mutant mutant(String type, String original, String mutated) {
        return mutant(type, original, mutated, type + "Test");
    }

    private static Mutant mutant(String type, String original, String mutated, String killer) {
        return new Mutant("io/quorate/testkit/" + type + ".java", original, mutated, "io.quorate.testkit." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // faults that do nothing, or not what they say
            mutant("VirtualNetwork", "if (link.isCut() || ", "if ("),
            mutant("VirtualNetwork", "if (!link.isCut() && ", "if ("),
            mutant("VirtualNetwork", "link.keyed.chance(n, link.of(Trouble.LOSS))",
                    "link.keyed.chance(n, link.of(Trouble.LOSS) / 2)"),
            mutant("VirtualNetwork", "fly(link, flight, n + 3);", "fly(link, flight, n + 1);"),
            mutant("VirtualNetwork", "delayMax + extra)", "delayMax)"),
            mutant("VirtualNetwork", "link.sent++ * DRAWS", "inFlight * DRAWS"),
            mutant("Injector", "Trouble.CUT, isCut[0] ? 1 : -1)", "Trouble.CUT, 0)"),
            mutant("Injector", "if (isCut[0]) {", "if (false) {"),
            mutant("Injector", "if (isBoth && !from.equals(to)", "if (!from.equals(to)"),
            mutant("Injector", "case CLOCK -> process.rate(1.0);", "case CLOCK -> { }"),
            mutant("Injector", "case DISK_FULL -> process.host().diskIsFull(true);", "case DISK_FULL -> { }"),
            mutant("Injector", "case DISK_FULL -> process.host().diskIsFull(false);", "case DISK_FULL -> { }"),
            mutant("Injector", "case STALL -> process.stall();", "case STALL -> process.pause();"),
            mutant("Injector", "fault.kind() == Fault.Kind.CRASH_AFTER_WRITE", "false"),
            mutant("VirtualProcess", "            waiting.add(turn);\n            return;",
                    "            waiting.add(turn);", "InjectorTest"),
            mutant("VirtualProcess", "        if (nanos == 0) {\n", "        if (nanos < 0) {\n", "InjectorTest"),
            mutant("VirtualProcess", "            if (behind.remove(turn)) {", "            if (true) {",
                    "InjectorTest"),
            mutant("VirtualClock", "new Pace(next, nanoTime(), time.now());", "new Pace(next, time.now(), time.now());",
                    "InjectorTest"),
            // a watchdog that does not bark
            mutant("Watchdog", "if (token <= path.highestToken) {",
                    "if (token < path.highestToken) {"),
            mutant("Watchdog", "other.process == process && other.number == number", "false"),
            mutant("Watchdog", "return tenure.remainingNanos(process.clock) > 0;", "return true;"),
            mutant("Watchdog", "if (held.tenure != tenure && held.isValid()) {", "if (false) {"),
            mutant("Watchdog", "if (order == null) {", "if (order == null && path.orderOfLastWrite > 0) {"),
            mutant("Watchdog", "if (!wasHeld) {", "if (false) {"),
            mutant("Watchdog", "if (path.held.size() > 1) {", "if (path.held.size() > 2) {"),
            // checks at the end that wait for ever, or do not look
            mutant("Scenario", "filter(fault -> !fault.isForEver())", "filter(fault -> !fault.isContender())",
                    "SimulationTest"),
            mutant("Simulation", "if (leaders.size() != 1) {", "if (leaders.size() > 1) {"),
            mutant("Simulation", "if (!scenario.setup().preempt() && ", "if (scenario.setup().preempt() && "),
            mutant("Simulation", "if (load > bound) {", "if (load < 0) {"),
            mutant("VirtualTime", "if (inWindow > EVENTS_PER_WINDOW_MAX) {",
                    "if (inWindow / 10 > EVENTS_PER_WINDOW_MAX) {", "SimulationTest"),
            // shrinking to something else, or not enough
            mutant("Shrinker", "(scenario.faults().size() + 1) / 2", "scenario.faults().size() / 2"),
            mutant("Shrinker", "chunk >= 1; chunk /= 2", "chunk >= 2; chunk /= 2"),
            mutant("Shrinker", ".filter(broken -> broken.rule() == rule)", ""),
            mutant("Shrinker", "runs++ < runsMax && ", "runs++ < runsMax || "),
            mutant("Shrinker", "&& namesOnlyItsNodes(candidate) ", ""));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
