package io.quorate.lab;

import io.quorate.testkit.model.Indications;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.Properties;
import java.util.function.BiFunction;

/** What an election may promise, under the names of the sources: docs/algorithms/common.md#properties. */
enum ElectionRule {
    TYPE_OK(
            "TypeOK",
            "every process takes one of the processes for the leader, or nobody",
            (check, name) -> check.always(name, Properties::typeOk)),
    ONE_LEADER(
            "OneLeader",
            "at most one process takes itself for the leader",
            (check, name) -> check.always(name, Properties::oneLeader)),
    PARTICIPATING(
            "Participating",
            "nobody takes part in an election and leads",
            (check, name) -> check.always(name, Properties::participating)),
    SAME_LEADER(
            "ElectionTerminationImpliesSameLeader",
            "once it is quiet, all that are in no election take the same one for the leader",
            (check, name) -> check.whenQuiet(name, Properties::electionTerminationImpliesSameLeader)),
    HIGHEST(
            "HighestAliveProcessIsLeader",
            "once it is quiet, all that are in no election take the highest one that runs for the leader",
            (check, name) -> check.whenQuiet(name, Properties::highestAliveProcessIsLeader)),
    EVENTUALLY_ELECTION(
            "EventuallyElection",
            "once it is quiet, nobody follows a dead process, unless it is in an election",
            (check, name) -> check.whenQuiet(name, Properties::eventuallyElection)),
    ELECTION_WILL_END(
            "ElectionWillEnd",
            "without another fault there is always a way to where nobody is in an election",
            (check, name) -> check.alwaysPossible(name, Properties::electionHasEnded)),
    BLE1(
            "BLE1",
            "with a majority that runs, there is always a way to where each follows one that runs, for good",
            (check, name) -> check.alwaysPossibleForGood(
                    name, world -> !Properties.isMajorityAlive(world) || Properties.ble1(world))),
    BLE2(
            "BLE2",
            "with a majority that runs, there is always a way to where no two follow different ones, for good",
            (check, name) -> check.alwaysPossibleForGood(
                    name, world -> !Properties.isMajorityAlive(world) || Properties.ble2(world))),
    BLE3("BLE3", "the marks of the leaders that one process names in one life rise", (check, name) -> check.remembers(
                    Indications.OF_EACH_LIFE)
            .always(name, Indications::areMonotonic));

    private final String written;
    private final String meaning;
    private final BiFunction<ModelChecker, String, ModelChecker> asked;

    ElectionRule(String written, String meaning, BiFunction<ModelChecker, String, ModelChecker> asked) {
        this.written = written;
        this.meaning = meaning;
        this.asked = asked;
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
