package io.quorate.compare;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What finds two leaders in the answers, and what judges a ratio or a goal, broken in one place, and the test that
 * notices: else a run could find nothing wrong because it looks at nothing.
 */
class CompareMutantsTest {

    private static final int MANY = 1000;

    /** What the changes put in. */
    static final class Faults {

        private Faults() {}

        static int oneLess(int count) {
            return count - 1;
        }

        static Progress all(Progress now, Progress earlier) {
            return now;
        }
    }

    private static Mutant mutant(String fault, String killer, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate.compare." + killer, change);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // two leaders
            mutant(
                    "answers from before the fault count",
                    "AnswersTest#trueAnswersAreCountedUpToTheFirstFalseOne",
                    in(Answers.class, "firstSince").returns(0)),
            mutant(
                    "a spell lasts until its last answer was there",
                    "AnswersTest#aSpellGoesFromTheFirstAnswerToTheLastQuestion",
                    in(Answers.class, "spellsSince").read("asked").becomes("told")),
            mutant(
                    "two leaders are not seen",
                    "AnswersTest#twoWhoLeadAtOnceAreFound",
                    in(Spells.class, "overlap").call("Math.max").becomes("min")),
            mutant(
                    "one process is not looked at",
                    "AnswersTest#twoWhoLeadAtOnceAreFound",
                    in(CutTrial.class, "overlap").call("size").passes(Faults.class, "oneLess")),
            // ratios
            mutant(
                    "no margin counts",
                    "ReportTest#aRunIsComparedWithAnEarlierOne",
                    in(Baseline.class, "isBeyondMargin").returns(true)),
            mutant(
                    "no spread counts",
                    "ReportTest#aRatioThatVariesWidelyIsNotWorse",
                    in(Baseline.class, "isBeyondSpread").returns(true)),
            mutant(
                    "few turns of the earlier run prove as much",
                    "ReportTest#aFewTurnsProveLess",
                    in(Baseline.class, "worse(Entry,Result)")
                            .read("Entry.turns")
                            .answers(MANY)),
            mutant(
                    "few turns of this run prove as much",
                    "ReportTest#aFewTurnsProveLess",
                    in(Baseline.class, "worse(Entry,Result)")
                            .call("Result.turns")
                            .answers(MANY)),
            mutant(
                    "algorithms are mixed",
                    "ReportTest#everyAlgorithmIsComparedWhereSeveralWereMeasured",
                    in(Comparison.class, "of(List,String)").call("equals").answers(true)),
            mutant(
                    "the worst turn counts alone",
                    "ReportTest#aRatioIsThatOfTheTurns",
                    in(Comparison.class, "ratio").call("median").becomes("max")),
            // goals
            mutant(
                    "each goal is reached",
                    "ReportTest#aGoalIsReachedOrMissed",
                    in(Result.Verdict.class, "isReached").returns(true)),
            mutant(
                    "a goal that is missed now is not named",
                    "ReportTest#aGoalThatIsMissedNowIsNamed",
                    in(Baseline.class, "worse(Entry,Result)")
                            .call("Verdict.isReached")
                            .answers(true)),
            mutant(
                    "what Quorate alone has is not judged",
                    "ReportTest#goalsGuardRowsOfQuorateAlone",
                    in(QuorateAlone.class, "verdict").call("Double.isNaN").answers(true)),
            mutant(
                    "what is lost in a small container is not judged",
                    "ReportTest#smallContainersHaveATable",
                    in(ContainerRow.class, "isReached(Metric,List,int)")
                            .call("Double.isNaN")
                            .answers(true)),
            mutant(
                    "what was lost before all were led is counted twice",
                    "ReportTest#earlierLossesAreNotCountedAgain",
                    in(Progress.class, "since").runs(Faults.class, "all")),
            // growth
            mutant(
                    "all grows linearly",
                    "GrowthTest#theExponentIsTheSlopeOnLogarithmicScales",
                    in(Growth.class, "slope").returns(1.0)),
            mutant(
                    "the heap is that of one latch",
                    "GrowthTest#heapIsThatOfAllLatches",
                    in(Metric.class, "isPerLatch").returns(false)),
            mutant(
                    "what got worse does not fail the run",
                    "ReportTest#worseRatiosFailTheRunOnlyWithABaseline",
                    in(Compare.class, "exitCode").returns(0)));

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
