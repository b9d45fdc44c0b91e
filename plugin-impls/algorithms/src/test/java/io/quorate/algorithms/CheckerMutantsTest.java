package io.quorate.algorithms;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Each checker can fail: a rule of an algorithm is broken in one line, and the model checker or the random runs notice.
 * That the conformance kit can fail is shown beside it, with algorithms that were written to break it.
 */
@Tag("mutants")
class CheckerMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/" + file + ".java", original, mutated, "io.quorate." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // ---- the model checker: agreement in the end
            mutant("bully/HardenedBullyElection", "if (suspects.contains(leader) || leader == self && !isViable()) {",
                    "if (leader == self && !isViable()) {",
                    "bully.BullyModelTest#hardenedAlwaysSettles"),
            mutant("ring/HardenedRingElection", "        sendOwn();\n        setRetry();",
                    "        sendOwn();",
                    "lcr.LcrModelTest#hardenedSettlesWithThreeProcesses"),
            mutant("lcr/HardenedLcrElection", "return suspects.contains(owner) || hops >= contenders;",
                    "return hops >= contenders;",
                    "lcr.LcrModelTest#hardenedSettlesWithThreeProcesses"),
            mutant("ring/HardenedRingElection", "            participating = true;\n            setRetry();",
                    "            participating = true;",
                    "tokenring.TokenRingModelTest#hardenedSettlesAfterCrashesAndLosses"),
            mutant("threephase/ThreePhaseElection", "            round = round.withAck(from, now);",
                    "            Check.state(true, \"\");",
                    "threephase.ThreePhaseModelTest#hardenedAgreesInTheEnd"),
            // ---- the model checker: exchanges that must end
            mutant("bully/HardenedBullyElection", "        } else if (leader <= from) {",
                    "        } else {",
                    "bully.BullyModelTest#hardenedExchangesEndAlthoughOneLinkIsSlow"),
            mutant("ballot/HardenedBallotElection", "if (top.compareTo(bmaxOfRound) < 0) {",
                    "if (top.compareTo(bmax) < 0) {",
                    "ballot.BallotModelTest#hardenedStopsToRaiseItsBallots"),
            mutant("ring/HardenedRingElection", "            participating = true;\n            setRetry();",
                    "            initiateAnew();",
                    "tokenring.TokenRingModelTest#electionsComeToAnEndWhileProcessesAreWronglySuspected"),
            // ---- the model checker: marks that rise, also across lives (K7, H9, P)
            mutant("ballot/FaithfulBallotElection", "boolean isNew = !top.equals(leader);",
                    "boolean isNew = true;",
                    "ballot.BallotModelTest#faithfulIndicationsIncreaseInOneLife"),
            mutant("machine/ElectionMachine", "            restore(start.saved());",
                    "            Check.state(true, \"\");",
                    "lcr.LcrModelTest#tokensIncreaseAcrossLivesIfTheyAreSaved"),
            mutant("threephase/HardenedThreePhaseElection", "round = Round.before(ThreePhaseMessage.readEpoch(in));",
                    "round = Round.before(ThreePhaseMessage.readEpoch(in) < 0 ? -1 : hardening.seen().epoch());",
                    "threephase.ThreePhaseModelTest#eachEpochHasOneLeaderWhateverTheClocksDo"),
            // ---- random runs: each process follows the right leader after faults, with few messages
            mutant("bully/HardenedBullyElection", "        if (leader == self) {\n            announce();\n        }\n",
                    "",
                    "bully.BullyRandomRunsTest#hardenedSettlesOnTheHighestLiveProcess"),
            mutant("ballot/HardenedBallotElection", "heardQuorum = true; // H8: the others",
                    "heardQuorum = false; // H8: the others",
                    "ballot.BallotRandomRunsTest#hardenedSettlesOnALiveProcess"),
            mutant("ring/HardenedRingElection", "        if (leader == self && !participating) {",
                    "        if (false) {",
                    "lcr.LcrRandomRunsTest#hardenedSettlesOnTheHighestLiveProcess"),
            mutant("ring/HardenedRingElection",
                    "            initiateAnew();                                              // K4",
                    "            setRetry();",
                    "tokenring.TokenRingRandomRunsTest#hardenedSettlesOnTheHighestLiveProcess"),
            mutant("threephase/HardenedThreePhaseElection", "        if (order < 0) {",
                    "        if (false) {",
                    "threephase.ThreePhaseRandomRunsTest#hardenedSettlesOnOneLiveProcess"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
