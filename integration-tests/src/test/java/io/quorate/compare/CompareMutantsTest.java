package io.quorate.compare;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What measures, broken in one line, and the test that notices. */
class CompareMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/compare/" + file + ".java", original, mutated, "io.quorate.compare." + killer);
    }

    private static Mutant link(String original, String mutated, String killer) {
        return new Mutant("io/quorate/link/LinkProxy.java", original, mutated,
                "io.quorate.link.LinkProxyTest#" + killer);
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
            mutant("Answers", "asked[first] - moment < 0", "asked[first] - moment > 0",
                    "AnswersTest#trueAnswersAreCountedUpToTheFirstFalseOne"),
            mutant("Answers", "spells.add(new Spell(told[begin], asked[next - 1]));",
                    "spells.add(new Spell(asked[begin], told[next - 1]));",
                    "AnswersTest#aSpellGoesFromTheFirstAnswerToTheLastQuestion"),
            mutant("Spells", "overlap += Math.max(0, Math.min", "overlap += Math.min(0, Math.min",
                    "AnswersTest#twoWhoLeadAtOnceAreFound"),
            mutant("CutTrial", "for (int j = 0; j < i; j++)", "for (int j = 0; j < i - 1; j++)",
                    "AnswersTest#twoWhoLeadAtOnceAreFound"),
            mutant("HtmlReport", "line.length() + 1 + word.length() > LABEL_CHARACTERS",
                    "line.length() > LABEL_CHARACTERS",
                    "ReportTest#everyLabelOfTheRatiosFits"),
            mutant("Alone", ".allMatch(sample -> sample.side()", ".anyMatch(sample -> sample.side()",
                    "ReportTest#whatQuorateAloneHasIsShownApart"),
            mutant("Sink", "        settled = seconds;", "",
                    "ReportTest#aSampleSaysHowLongNothingWasDoneBefore"),
            mutant("ProcessUsage", "startsWith(\"socket:\")", "startsWith(\"pipe:\")",
                    "ProcessUsageTest#socketsAreCounted"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
