package io.quorate.ranks;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Each rule of who leads next, broken in one line, and the test that notices. */
@Tag("mutants")
class RankMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/core/" + file + ".java", original, mutated, "io.quorate.ranks." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant("Contests", "contender.stamp = contest.nextStamp();", "contender.stamp = 1;",
                    "JoinOrderTest#theOrderOfJoiningIsTheOrderOfLeading"),
            mutant("Contests", "contender.stamp = contest.nextStamp();", "contender.stamp = 2;",
                    "JoinOrderTest#selectorsLeadInTurns"),
            mutant("Contests", "                claims.end(contender, reason, Optional.empty());\n"
                            + "                joinAtTail(contender);",
                    "                claims.end(contender, reason, Optional.empty());",
                    "JoinOrderTest#aLongOutagePutsWhoWaitedAtTheTail"),
            mutant("Contests", "            contender.keepsPlace = false;\n        }\n    }",
                    "            contender.keepsPlace = true;\n        }\n    }",
                    "JoinOrderTest#whoLostItsLeaseQueuesBehindAllOthers"),
            mutant("Registration", "(Registration r) -> r.id().node()).reversed()",
                    "(Registration r) -> r.id().node())",
                    "RankOrderTest#theHighestNodeIdFollowsAndDoesNotTakeLeadershipAway"),
            mutant("Registration", "Comparator.comparingLong(Registration::weight).reversed()",
                    "Comparator.comparingLong(Registration::weight)",
                    "RankOrderTest#theHighestPriorityFollowsAndAmongEqualsTheFirstCome"),
            mutant("Contests", "new Digest().add(event.path()).add(", "new Digest().add(",
                    "RankOrderTest#spreadGivesEveryNodeAFairShareOfWhatBeginsAtOneMoment"),
            mutant("Contests", "if (!context.settings.preempt()) {", "if (context.settings.preempt()) {",
                    "RankOrderTest#theHighestNodeIdFollowsAndDoesNotTakeLeadershipAway"),
            mutant("Contests", ">= 2 * context.settings.lease().support()", ">= 0",
                    "RankOrderTest#preemptionHandsOverToTheBetterRankedAndKeepsThePlace"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
