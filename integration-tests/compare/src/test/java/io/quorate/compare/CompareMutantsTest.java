package io.quorate.compare;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What makes a fault, what finds two leaders in the answers, and what judges a ratio or a goal, broken in one line, and
 * the test that notices: else a run could find nothing wrong because it looks at nothing.
 */
@Tag("mutants")
class CompareMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/compare/" + file + ".java", original, mutated, "io.quorate.compare." + killer);
    }

    private static Mutant link(String original, String mutated, String killer) {
        return new Mutant("io/quorate/link/LinkProxy.java", original, mutated,
                "io.quorate.link.LinkProxyTest#" + killer);
    }

    private static Mutant jvm(String original, String mutated, String killer) {
        return new Mutant("io/quorate/process/ChildJvm.java", original, mutated,
                "io.quorate.process.ChildJvmTest#" + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            link("                awaitWhole(EnumSet.of(way));\n                out.write",
                    "                out.write",
                    "oneWayIsCutAndTheOtherIsNot"),
            link("                awaitWhole(EnumSet.of(way));\n                out.write",
                    "                awaitWhole(EnumSet.allOf(Way.class));\n                out.write",
                    "oneWayIsCutAndTheOtherIsNot"),
            link("            awaitWhole(EnumSet.allOf(Way.class));\n            near",
                    "            awaitWhole(EnumSet.of(Way.THERE));\n            near",
                    "newConnectionsWaitForBothWays"),
            link("        breakAll();\n    }\n\n    private static void start",
                    "    }\n\n    private static void start",
                    "connectionsEndWithTheLink"),
            link("        breakAll();\n    }\n\n    private void breakAll", "    }\n\n    private void breakAll",
                    "severedConnectionsBreakAndNewOnesWait"),
            jvm("kill -STOP", "kill -CONT", "whileItIsPausedItSaysNothing"),
            jvm("process.toHandle().destroy();", "kill();", "itIsKilledAndTerminated"),
            mutant("Answers", "asked[first] - moment < 0", "asked[first] - moment > 0",
                    "AnswersTest#trueAnswersAreCountedUpToTheFirstFalseOne"),
            mutant("Answers", "spells.add(new Spell(told[begin], asked[next - 1]));",
                    "spells.add(new Spell(asked[begin], told[next - 1]));",
                    "AnswersTest#aSpellGoesFromTheFirstAnswerToTheLastQuestion"),
            mutant("Spells", "overlap += Math.max(0, Math.min", "overlap += Math.min(0, Math.min",
                    "AnswersTest#twoWhoLeadAtOnceAreFound"),
            mutant("CutTrial", "for (int j = 0; j < i; j++)", "for (int j = 0; j < i - 1; j++)",
                    "AnswersTest#twoWhoLeadAtOnceAreFound"),
            mutant("Baseline", "        boolean isBeyondMargin = now.value() > before.value() * (1 + margin);",
                    "        boolean isBeyondMargin = true;",
                    "ReportTest#aRunIsComparedWithAnEarlierOne"),
            mutant("Baseline", "        boolean isBeyondSpread = now.low() > before.high();",
                    "        boolean isBeyondSpread = true;",
                    "ReportTest#aRatioThatVariesWidelyIsNotWorse"),
            mutant("Baseline", "Math.min(before.values, now.values()) < FEW", "now.values() < FEW",
                    "ReportTest#aFewValuesProveLess"),
            mutant("Baseline", "Math.min(before.values, now.values()) < FEW", "before.values < FEW",
                    "ReportTest#aFewValuesProveLess"),
            mutant("Baseline", "before.isReached.orElse(false) && verdict", "verdict",
                    "ReportTest#aGoalThatIsMissedNowIsNamed"),
            mutant("Baseline", "if (before.isReached.orElse(false) && verdict",
                    "if (now.ratio().isPresent() && before.isReached.orElse(false) && verdict",
                    "ReportTest#aGoalThatIsMissedNowIsNamed"),
            mutant("Baseline", ".map(Verdict::isReached)", ".map(verdict -> false)",
                    "ReportTest#aGoalThatIsMissedNowIsNamed"),
            mutant("Metric", "most + perDetection * detectionMillis", "most + perDetection * 1000",
                    "ReportTest#aGoalMayDependOnTheDetectionTime"),
            mutant("Metric", "new Goal(0.8, Double.NaN, 50, 1.15)", "Goal.median(0.8)",
                    "ReportTest#aGoalMayDependOnTheDetectionTime"),
            mutant("Metric", "new Goal(Double.NaN, Double.NaN, 1, 0.001)", "Goal.NONE",
                    "ReportTest#aGoalMayDependOnTheDetectionTime"),
            mutant("Comparison", "s.algorithm().equals(algorithm)", "s.algorithm().isEmpty() == algorithm.isEmpty()",
                    "ReportTest#everyAlgorithmIsComparedWhereSeveralWereMeasured"),
            mutant("Comparison", "missed.isEmpty() ? reached : missed)", "reached)",
                    "ReportTest#aGoalIsReachedOrMissed"),
            mutant("Compare", "isAsked && !worse.isEmpty()", "!worse.isEmpty()",
                    "ReportTest#whatGotWorseFailsTheRunOnlyIfAskedFor"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
