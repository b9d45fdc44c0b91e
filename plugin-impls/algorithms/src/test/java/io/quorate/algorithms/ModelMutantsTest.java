package io.quorate.algorithms;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Rules of the algorithms, broken in one line, and the exhaustive check that notices. */
@Tag("mutants")
class ModelMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/" + file + ".java", original, mutated, "io.quorate." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // H4, H6, H9 and the quorum
            mutant("ballot/HardenedBallotElection", "if (top.compareTo(bmaxOfRound) < 0) {",
                    "if (top.compareTo(bmax) < 0) {",
                    "ballot.BallotModelTest#hardenedStopsToRaiseItsBallots"),
            mutant("ballot/HardenedBallotElection", "bmax = greater(ballot, bmax);",
                    "bmax = ballot;",
                    "ballot.BallotModelTest#indicationsIncreaseAcrossLivesIfTheyAreSaved"),
            mutant("ballot/HardenedBallotElection",
                    "        ballots = List.of();                                    // L23",
                    "        Check.state(true, \"\");                                  // L23",
                    "ballot.BallotModelTest#hardenedStopsToRaiseItsBallots"),
            mutant("ballot/FaithfulBallotElection", "boolean isNew = !top.equals(leader);",
                    "boolean isNew = true;",
                    "ballot.BallotModelTest#faithfulIndicationsIncreaseInOneLife"),
            // The rings: K2, K4, K7, and what a crash takes with it
            mutant("ring/HardenedRingElection", "        sendOwn();\n        setRetry();",
                    "        sendOwn();",
                    "lcr.LcrModelTest#hardenedSettlesWithThreeProcesses"),
            mutant("machine/ElectionMachine", "            restore(start.saved());",
                    "            Check.state(true, \"\");",
                    "lcr.LcrModelTest#tokensIncreaseAcrossLivesIfTheyAreSaved"),
            mutant("lcr/HardenedLcrElection", "        if (victory.compareTo(terms.seen()) < 0) {",
                    "        if (false) {",
                    "lcr.LcrModelTest#hardenedSettlesWithThreeProcesses"),
            mutant("lcr/HardenedLcrElection", "return suspects.contains(owner) || hops >= contenders;",
                    "return hops >= contenders;",
                    "lcr.LcrModelTest#hardenedSettlesWithThreeProcesses"),
            // Three-phase: P, the order of decisions, and those who are behind
            mutant("threephase/HardenedElection", "round = Round.before(ThreePhaseMessage.readEpoch(in));",
                    "round = Round.before(ThreePhaseMessage.readEpoch(in) < 0 ? -1 : hardening.seen().epoch());",
                    "threephase.ThreePhaseModelTest#eachEpochHasOneLeaderWhateverTheClocksDo"),
            mutant("threephase/HardenedElection", "new Decision(round.number(), candidates.best().orElseThrow());",
                    "new Decision(round.number(), candidates.byProcess().firstKey());",
                    "threephase.ThreePhaseModelTest#crashesAloneLeaveOneLeaderAndItIsTheHighest"),
            mutant("threephase/HardenedElection", "new Decision(round.number(), candidates.best().orElseThrow());",
                    "new Decision(round.number(), list.best().orElseThrow());",
                    "threephase.ThreePhaseModelTest#crashesAloneLeaveOneLeaderAndItIsTheHighest"),
            mutant("threephase/ThreePhaseElection", "round = round.pruned(self, now - times.window());",
                    "round = round;",
                    "threephase.ThreePhaseModelTest#crashesAloneLeaveOneLeaderAndItIsTheHighest"),
            mutant("threephase/ThreePhaseElection", "            round = round.withAck(from, now);",
                    "            Check.state(true, \"\");",
                    "threephase.ThreePhaseModelTest#hardenedAgreesInTheEnd"),
            mutant("threephase/FaithfulElection", "held = new Held(held.list().retain(round.trust()), held.version());",
                    "held = new Held(held.list(), held.version());",
                    "threephase.ThreePhaseModelTest#faithfulMayBeBlockedForEver"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
