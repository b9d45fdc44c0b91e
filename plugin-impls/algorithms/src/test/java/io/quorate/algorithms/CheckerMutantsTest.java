package io.quorate.algorithms;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.testkit.CodeChange;
import io.quorate.testkit.CodeChange.Place;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each checker can fail: a rule of an algorithm is broken, and the model checker, the random runs or those on slow
 * links notice. That the conformance kit can fail is shown beside it, with algorithms that were written to break it.
 */
class CheckerMutantsTest {

    private static final int NOBODY = -1;

    /** What the changes put in. */
    public static final class Faults {

        private Faults() {}

        public static boolean no(boolean value) {
            return false;
        }

        public static int notBelow(int order) {
            return Math.max(0, order);
        }

        public static long none(long round) {
            return -1;
        }
    }

    private static Mutant mutant(String fault, String killer, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate." + killer, change);
    }

    private static Place bully(String method) {
        return in("io.quorate.bully.HardenedBullyElection", method);
    }

    private static Place ring(String method) {
        return in("io.quorate.ring.HardenedRingElection", method);
    }

    private static Place ballot(String method) {
        return in("io.quorate.ballot.HardenedBallotElection", method);
    }

    private static Place threePhase(String method) {
        return in("io.quorate.threephase.HardenedThreePhaseElection", method);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // ---- the model checker: agreement in the end
            mutant(
                    "a suspected leader is kept",
                    "bully.BullyModelTest#hardenedAlwaysSettles",
                    bully("recheck").call("contains").answers(false)),
            mutant(
                    "an own attempt is not tried again",
                    "lcr.LcrModelTest#hardenedSettlesWithThreeProcesses",
                    ring("initiateAnew").call("setRetry").isLeftOut()),
            mutant(
                    "a message of a suspected owner goes on",
                    "lcr.LcrModelTest#hardenedSettlesWithThreeProcesses",
                    in("io.quorate.lcr.HardenedLcrElection", "isOrphan")
                            .call("contains")
                            .answers(false)),
            mutant(
                    "whoever takes part waits for ever",
                    "tokenring.TokenRingModelTest#hardenedSettlesAfterCrashesAndLosses",
                    ring("participate").call("setRetry").isLeftOut()),
            mutant(
                    "a judge ignores acknowledgements",
                    "threephase.ThreePhaseModelTest#hardenedAgreesInTheEnd",
                    in("io.quorate.threephase.ThreePhaseElection", "onAck").doesNothing()),
            // ---- the model checker: exchanges that must end
            mutant(
                    "two leaders outbid each other",
                    "bully.BullyModelTest#hardenedExchangesEndAlthoughOneLinkIsSlow",
                    bully("onVictoryOfHigher").read("leader").answers(NOBODY)),
            mutant(
                    "a ballot that was learnt during the round is missed",
                    "ballot.BallotModelTest#hardenedStopsToRaiseItsBallots",
                    ballot("checkLeader").read("bmaxOfRound").becomes("bmax")),
            mutant(
                    "whoever takes part sends a message of its own",
                    "tokenring.TokenRingModelTest#electionsComeToAnEndWhileProcessesAreWronglySuspected",
                    ring("participate").call("setRetry").becomes("initiateAnew")),
            // ---- the model checker: marks that rise, also across lives (K7, H9, P)
            mutant(
                    "a leader is indicated in each round",
                    "ballot.BallotModelTest#faithfulIndicationsIncreaseInOneLife",
                    in("io.quorate.ballot.FaithfulBallotElection", "checkLeader")
                            .call("equals")
                            .answers(false)),
            mutant(
                    "what a former life has saved is not read",
                    "lcr.LcrModelTest#tokensIncreaseAcrossLivesIfTheyAreSaved",
                    in("io.quorate.machine.ElectionMachine", "on")
                            .call("restore")
                            .isLeftOut()),
            mutant(
                    "a judge forgets which rounds it has decided",
                    "threephase.ThreePhaseModelTest#eachEpochHasOneLeaderWhateverTheClocksDo",
                    threePhase("readSaved").call("readEpoch").passes(Faults.class, "none")),
            // ---- three-phase: a leader that a majority hears stays, and slow links settle (S2 to S4)
            mutant(
                    "a process behind a cut link drags the others into its round",
                    "threephase.ThreePhaseStabilityTest#oneCutLinkToTheLeaderChangesNothing",
                    threePhase("isInformed").call("isHolding").answers(false)),
            mutant(
                    "a judge that was told of the leader decides alone",
                    "threephase.ThreePhaseStabilityTest#oneCutLinkToTheLeaderChangesNothing",
                    threePhase("isViable").call("isHeld").answers(false)),
            mutant(
                    "time-outs stay as short as they are",
                    "threephase.ThreePhaseStabilityTest#slowLinksSettle",
                    in("io.quorate.machine.Patience", "afterTimeout")
                            .read("late")
                            .answers(false)),
            // ---- random runs: each process follows the right leader after faults, with few messages
            mutant(
                    "a victory is not repeated",
                    "bully.BullyRandomRunsTest#hardenedSettlesOnTheHighestLiveProcess",
                    bully("onRepetition").call("announce").isLeftOut()),
            mutant(
                    "a quorum that comes back is not noticed",
                    "ballot.BallotRandomRunsTest#hardenedSettlesOnALiveProcess",
                    ballot("testQuorum").write("heardQuorum").passes(Faults.class, "no")),
            mutant(
                    "a leader is not announced again",
                    "ring.RingRandomRunsTest#hardenedSettlesOnTheHighestLiveProcess",
                    ring("onRepetition").call("announce").isLeftOut()),
            mutant(
                    "an election that has failed is not begun again",
                    "ring.RingRandomRunsTest#hardenedSettlesOnTheHighestLiveProcess",
                    ring("onTimer").call("initiateAnew").becomes("setRetry")),
            mutant(
                    "the heartbeats of an old leader are followed",
                    "threephase.ThreePhaseRandomRunsTest#hardenedSettlesOnOneLiveProcess",
                    threePhase("onHeartbeat").call("Decision.compareTo").passes(Faults.class, "notBelow")),
            // ---- slow links, on which a leader stays (K8, H5)
            mutant(
                    "a time-out never becomes longer",
                    "algorithms.SlowLinksTest",
                    in("io.quorate.machine.Patience", "afterTimeout")
                            .read("late")
                            .answers(false)),
            mutant(
                    "what comes home late proves nothing",
                    "algorithms.SlowLinksTest",
                    ring("onLate").doesNothing()),
            mutant(
                    "rounds are halved although replies need them",
                    "algorithms.SlowLinksTest",
                    in("io.quorate.ballot.RoundLength", "ended").read("slowest").answers(0L)));

    @Test
    void everyMutantCanBeMade() {
        Mutants.assertCanBeMade(MUTANTS);
    }

    @TestFactory
    @Tag("mutants")
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
