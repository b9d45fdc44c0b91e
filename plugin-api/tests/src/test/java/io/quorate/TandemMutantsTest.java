package io.quorate;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.client.LatchContender;
import io.quorate.client.TandemContender;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tandems with a rule broken, and the test that must see it. */
class TandemMutantsTest {

    private static Mutant storm(String fault, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.TandemStormTest", changes);
    }

    private static Mutant unit(String fault, String killer, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.TandemLatchTest#" + killer, changes);
    }

    private static final List<Mutant> MUTANTS = List.of(
            unit(
                    "it leads by Quorate alone",
                    "theOldSidesLossEndsItAtOnceAndFreesThePath",
                    in(TandemContender.class, "leads").call("leadsOnOldSide").answers(true)),
            unit(
                    "it leads by the companion alone",
                    "itHasNotLedBeforeBothDo",
                    in(TandemContender.class, "leads").call("isLeading").answers(true)),
            unit(
                    "it is on Quorate's path whether or not the companion leads",
                    "onlyTheLeaderOfTheOldSideJoinsQuorate",
                    in(TandemContender.class, "mayBegin").call("leads").answers(true),
                    in(TandemContender.class, "hasEnded").returns(false)),
            storm(
                    "it stays when the companion is lost",
                    in(TandemContender.class, "hasEnded").returns(false)),
            storm(
                    "what was seen as over comes back",
                    in(TandemContender.class, "leadsOnOldSide").write("isOver").isLeftOut()),
            unit(
                    "it leads before notLeader has returned",
                    "itDoesNotLeadBeforeNotLeaderHasReturned",
                    in(TandemContender.class, "mayBegin").call("isDone").answers(true)),
            unit(
                    "it keeps a companion that Quorate does not follow",
                    "whoCannotLeadQuorateGivesTheOldSideUp",
                    in(TandemContender.class, "patienceEnded").doesNothing()),
            unit(
                    "the companion is closed while it leads",
                    "theWorkOfALeaderIsFinishedBeforeItLeaves",
                    in(TandemContender.class, "finish").call("finishWork").runs(Faults.class, "noWork")));

    private static Mutant guard(String fault, String killer, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.TandemGuardTest#" + killer, changes);
    }

    private static final List<Mutant> GUARD = List.of(
            guard(
                    "a plain latch joins beside a shadow",
                    "aPlainLatchWaitsForAShadowAndAfterThatLeads",
                    in(LatchContender.class, "join").call("isGuarded").answers(false)),
            guard(
                    "a plain leader leads on beside a tandem",
                    "aPlainLeaderMakesWayForATandem",
                    in("io.quorate.client.GuardedCandidacy", "changed")
                            .read("stay")
                            .isLeftOut()),
            guard(
                    "a shadow does not look who leads by Quorate alone",
                    "aShadowDoesNotBeginBesideOneThatHasNotMadeWay",
                    in(TandemContender.class, "opensBeside").call("isEmpty").answers(true)));

    /** What the changes put in. */
    public static final class Faults {

        private Faults() {}

        /** Nothing is waited for. */
        public static CompletableFuture<Void> noWork() {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void everyMutantCanBeMade() {
        Mutants.assertCanBeMade(MUTANTS);
        Mutants.assertCanBeMade(GUARD);
    }

    @TestFactory
    @Tag("mutants")
    Stream<DynamicTest> everyMutantIsKilled() {
        return Stream.concat(Mutants.tests(MUTANTS), Mutants.tests(GUARD));
    }
}
