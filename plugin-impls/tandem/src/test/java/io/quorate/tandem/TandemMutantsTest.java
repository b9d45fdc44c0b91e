package io.quorate.tandem;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.engine.Engine;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.engine.Tenure;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tandems with a rule broken, and the test that must see it. */
class TandemMutantsTest {

    private static Mutant storm(String fault, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.tandem.TandemStormTest", changes);
    }

    private static Mutant unit(String fault, String killer, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.tandem.TandemLatchTest#" + killer, changes);
    }

    private static final String TENURE = "io.quorate.client.CurrentTenure";
    private static final String CONDITIONAL = "io.quorate.client.ConditionalCandidacy";

    private static final List<Mutant> MUTANTS = List.of(
            unit(
                    "it leads by Quorate alone",
                    "theOldSidesLossEndsItAtOnceAndFreesThePath",
                    in(TENURE, "isValid").call("isMet").answers(true)),
            storm(
                    "it leads on by Quorate alone",
                    in(TENURE, "isValid").call("end").isLeftOut()),
            unit(
                    "it leads by the companion alone",
                    "itHasNotLedBeforeBothDo",
                    in(TandemCondition.class, "contend").call("Engine.contend").runs(Faults.class, "grantsAtOnce")),
            unit(
                    "it is on Quorate's path whether or not the companion leads",
                    "onlyTheLeaderOfTheOldSideJoinsQuorate",
                    in(TandemCondition.class, "lookNow").call("leads").answers(true)),
            storm(
                    "it stays when the companion is lost",
                    in(CONDITIONAL, "look").call("isEmpty").answers(true)),
            unit(
                    "it leads before notLeader has returned",
                    "itDoesNotLeadBeforeNotLeaderHasReturned",
                    in(CONDITIONAL, "look").read("isOut").answers(false)),
            unit(
                    "it keeps a companion that Quorate does not follow",
                    "latchThatCannotLeadQuorateGivesUpTheOldSide",
                    in(TandemCondition.class, "beginAnew").doesNothing()),
            unit(
                    "who resigns keeps the companion",
                    "resignationLetsTheNextOneLead",
                    in(TandemCondition.class, "resigned").doesNothing()),
            unit(
                    "a shadow ends with its node",
                    "aShadowOutlivesItsNode",
                    in(TandemCondition.class, "needsNoNode").returns(false)));

    private static Mutant guard(String fault, String killer, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.tandem.TandemGuardTest#" + killer, changes);
    }

    private static final List<Mutant> GUARD = List.of(
            guard(
                    "a plain latch joins beside a shadow",
                    "aPlainLatchWaitsForAShadowAndAfterThatLeads",
                    in("io.quorate.client.GuardedCandidacy", "standing").returns("")),
            guard(
                    "a plain leader that makes way keeps its votes",
                    "aPlainLeaderMakesWayForATandem",
                    in(CONDITIONAL, "look").call("leave").isLeftOut()),
            guard(
                    "a shadow does not look who leads by Quorate alone",
                    "aShadowDoesNotBeginBesideOneThatHasNotMadeWay",
                    in(TandemCondition.class, "mayOpen").returns(true)));

    /** What the changes put in. */
    public static final class Faults {

        private Faults() {}

        /** Who contends leads, whatever the voters say. */
        public static Engine.Candidacy grantsAtOnce(
                Engine engine, String path, String id, Engine.ContenderListener listener) {
            listener.granted(new Tenure(path, 1, new Lease(new Epoch[0], Long.MAX_VALUE / 2)));
            return engine.contend(path, id, new Engine.ContenderListener() {
                @Override
                public void granted(Tenure tenure) {
                    // It has one.
                }

                @Override
                public void ended(Tenure tenure, String reason) {
                    // It keeps its own.
                }
            });
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
