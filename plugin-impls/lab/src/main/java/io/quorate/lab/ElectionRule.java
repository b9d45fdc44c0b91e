package io.quorate.lab;

import io.quorate.testkit.model.Indications;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.Properties;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** The promises of an election, under the names of the sources: docs/algorithms/common.md#properties. */
enum ElectionRule {
    TYPE_OK(
            "TypeOK",
            "every process takes one of the processes for the leader, or none",
            When.ALWAYS,
            Properties::typeOk),
    ONE_LEADER("OneLeader", "at most one process takes itself for the leader", When.ALWAYS, Properties::oneLeader),
    PARTICIPATING("Participating", "no process is in an election and leads", When.ALWAYS, Properties::participating),
    SAME_LEADER(
            "ElectionTerminationImpliesSameLeader",
            "once it is quiet, all that are in no election take the same one for the leader",
            When.QUIET,
            Properties::electionTerminationImpliesSameLeader),
    HIGHEST(
            "HighestAliveProcessIsLeader",
            "once it is quiet, all that are in no election take the highest one that runs for the leader",
            When.QUIET,
            Properties::highestAliveProcessIsLeader),
    EVENTUALLY_ELECTION(
            "EventuallyElection",
            "once it is quiet, no process follows a dead one, unless it is in an election",
            When.QUIET,
            Properties::eventuallyElection),
    ELECTION_WILL_END(
            "ElectionWillEnd",
            "without another fault there is always a way to where no process is in an election",
            (check, name) -> check.alwaysPossible(name, Properties::electionHasEnded)),
    BLE1(
            "BLE1",
            "with a majority that runs, there is always a way to where each follows one that runs, permanently",
            (check, name) -> check.alwaysPossibleForGood(
                    name, world -> !Properties.isMajorityAlive(world) || Properties.ble1(world))),
    BLE2(
            "BLE2",
            "with a majority that runs, there is always a way to where no two follow different ones, permanently",
            (check, name) -> check.alwaysPossibleForGood(
                    name, world -> !Properties.isMajorityAlive(world) || Properties.ble2(world))),
    BLE3("BLE3", "the marks of the leaders that one process names in one life rise", (check, name) -> check.remembers(
                    Indications.OF_EACH_LIFE)
            .always(name, Indications::areMonotonic));

    /** When a rule of single states must hold. */
    private enum When {
        ALWAYS,
        /** Only timers and faults can happen. */
        QUIET
    }

    private final String written;
    private final String meaning;
    private final BiFunction<ModelChecker, String, ModelChecker> asked;
    private final Optional<Predicate<World>> isBroken;

    /** A rule of single states. */
    ElectionRule(String written, String meaning, When when, Predicate<World> holds) {
        this.written = written;
        this.meaning = meaning;
        this.asked = (check, name) -> when == When.QUIET ? check.whenQuiet(name, holds) : check.always(name, holds);
        this.isBroken = Optional.of(world -> (when == When.ALWAYS || world.isQuiet()) && !holds.test(world));
    }

    /** A rule of what may follow, or of what came before. */
    ElectionRule(String written, String meaning, BiFunction<ModelChecker, String, ModelChecker> asked) {
        this.written = written;
        this.meaning = meaning;
        this.asked = asked;
        this.isBroken = Optional.empty();
    }

    /** The rules that a state alone keeps or breaks. */
    static List<ElectionRule> ofStates() {
        return Arrays.stream(values()).filter(rule -> rule.isBroken.isPresent()).toList();
    }

    /** Whether the world breaks it; false for a rule that is not of states. */
    boolean isBrokenIn(World world) {
        return isBroken.isPresent() && isBroken.get().test(world);
    }

    /** As the sources write it. */
    String written() {
        return written;
    }

    /** In a few words. */
    String meaning() {
        return meaning;
    }

    /** Has the check look for a run that breaks it. */
    ModelChecker in(ModelChecker check) {
        return asked.apply(check, written);
    }
}
