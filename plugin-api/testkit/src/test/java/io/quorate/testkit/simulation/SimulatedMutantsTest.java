package io.quorate.testkit.simulation;

import io.quorate.testkit.Mutants.Mutant;
import io.quorate.testkit.Mutants;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** What the kit for applications promises, broken in one line each, and the test that notices. */
@Tag("mutants")
class SimulatedMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/testkit/" + file + ".java", original, mutated,
                "io.quorate.testkit." + killer);
    }

    private static Mutant facade(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/" + file + ".java", original, mutated, "io.quorate.testkit." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            facade("core/PathListings", "if (voter != self && ", "if (",
                    "FirstViewTest#aVoterThatReachesNobodyDoesNotSayThatNobodyLeads"),
            facade("core/PathListings", "byVoter.length == 1 ? -1 : context", "context",
                    "FirstViewTest#theOnlyVoterAnswersByItself"),
            facade("LatchContender", "new SerialDispatcher(callbacks.executor())",
                    "new SerialDispatcher()",
                    "SimulatedCallbacksTest#theyRunInOrderOnTheTestsThreadWhileTimePasses"),
            facade("ElectionClient", "new SerialDispatcher(engine.callbacks())",
                    "new SerialDispatcher()",
                    "SimulatedClusterTest#lossAndDelaysAreWhatTheTestSays"),
            facade("Connectivity", "engine.letTimePass(timeoutNanos, () -> isConnected() || isOver())",
                    "timeoutNanos",
                    "SimulatedClusterTest#timePassesWhileTheTestWaits"),
            facade("ClientViews", "engine.letTimePass(connectionTimeout.toNanos(), view::isDone)",
                    "0",
                    "SimulatedClusterTest#timePassesWhileTheTestWaits"),
            facade("LatchContender", "long remaining = letTimePass(timeoutNanos, () ->",
                    "long remaining = letTimePass(0 * timeoutNanos, () ->",
                    "SimulatedClusterTest#timePassesWhileTheTestWaits"),
            mutant("SimulatedEngine", "world.after(this, limit.toNanos(), () ->",
                    "world.after(this, 0, () ->",
                    "SimulatedCallbacksTest#aNotLeaderThatDoesNotReturnKeepsTheLatchOutForThirtySeconds"),
            mutant("SimulatedWorld", "if (Thread.currentThread() != testThread) {",
                    "if (false) {",
                    "SimulatedThreadsTest#aThreadInAwaitIsWokenWhenItsLatchLeads"),
            mutant("SimulatedWorld", "if (!hasEnded && limit < nanosMax) {",
                    "if (false) {",
                    "SimulatedClusterTest#withoutAMajorityCallsEndAfterTheirTimeOut"),
            mutant("SimulatedWorld", "return nanosMax - (now() - begin);",
                    "return nanosMax;",
                    "SimulatedClusterTest#timePassesWhileTheTestWaits"),
            mutant("SimulatedWorld", "                broken = new AssertionError(e.getMessage()",
                    "                throw new AssertionError(e.getMessage()",
                    "SimulatedClusterTest#twoLeadersFailTheTestAlsoIfACallbackSwallowsIt"),
            mutant("SimulatedEngine", "        process.granted(number, tenure);\n",
                    "",
                    "SimulatedClusterTest#oneLeadsAndAllKnowIt"),
            mutant("SimulatedEngine", "        return !isCrashed;",
                    "        return true;",
                    "SimulatedCallbacksTest#theyWaitWhileTheProcessIsPausedAndEndWithIt"),
            mutant("SimulatedEngine", "if (!isOver && process.isPaused()) {",
                    "if (false) {",
                    "SimulatedCallbacksTest#theyWaitWhileTheProcessIsPausedAndEndWithIt"),
            mutant("SimulatedEngine", "            process.tenures.values().forEach(Tenure::end);\n",
                    "",
                    "SimulatedEngineTest#aCrashEndsLeadershipBeforeTheClientIsClosed"),
            mutant("SimulatedEngine", "            if (!isOver && driver != null) {\n                call.run();",
                    "            if (driver != null) {\n                call.run();",
                    "SimulatedEngineTest#whatIsAskedOfADeadLifeDoesNotReachTheNext"),
            mutant("SimulatedEngine", "asked.forEach(view -> view",
                    "List.<CompletableFuture<PathView>>of().forEach(view -> view",
                    "SimulatedEngineTest#whoAsksACrashedNodeIsAnswered"),
            mutant("SimulatedEngine", "                process.resume();\n",
                    "",
                    "SimulatedClusterTest#aPausedNodesClientCanBeClosed"),
            mutant("SimulatedWorld", "                broken = new AssertionError(e + ",
                    "                AssertionError lost = new AssertionError(e + ",
                    "SimulatedEngineTest#whatANodeThrowsFailsEverythingAfterIt"),
            mutant("SimulatedWorld", "isOver.getAsBoolean() || Thread.currentThread().isInterrupted()",
                    "isOver.getAsBoolean()",
                    "SimulatedClusterTest#anInterruptedTestDoesNotWait"),
            mutant("SimulatedCluster", "        if (world.isEmpty()) {\n            return \"seed=",
                    "        if (false) {\n            return \"seed=",
                    "SimulatedClusterExtensionTest#aFailureOfItsOwnIsNeverHidden"),
            mutant("SimulatedCluster", "        node.client.close();\n",
                    "",
                    "SimulatedThreadsTest#aThreadInAwaitIsWokenByTheCrashOfItsNode"),
            mutant("SimulatedCluster", "            old.time.throwIfBroken();\n",
                    "",
                    "SimulatedClusterExtensionTest#aBrokenRuleFailsTheTestAlsoIfItWasCaught"),
            mutant("SimulatedCluster", "percent - in.loss[0]",
                    "percent",
                    "SimulatedClusterTest#lossAndDelaysAreWhatTheTestSays"),
            mutant("SimulatedCluster", "groupOf.getOrDefault(flight.from(), -1)",
                    "groupOf.getOrDefault(flight.from(), -2)",
                    "SimulatedClusterTest#groupsReachThemselvesAndTheUnnamedAreOne"),
            mutant("LastingTerms", "        return stored;\n",
                    "        return Stored.NOTHING;\n",
                    "SimulatedClusterTest#aMajorityThatRestartsRemembersItsTerms"),
            mutant("SimulatedClusterExtension", "failure.addSuppressed(",
                    "new AssertionError().addSuppressed(",
                    "SimulatedClusterExtensionTest#aFailedTestSaysTheSeedAndWhereTheNodesStand"),
            mutant("SimulatedClusterExtension",
                    "    public void afterEach(ExtensionContext context) {\n        close();\n",
                    "    public void afterEach(ExtensionContext context) {\n",
                    "SimulatedClusterExtensionTest#eachTestHasANewClusterWhichIsClosedAfterIt"),
            mutant("FakeLeaderLatch", "            callback.run();\n",
                    "",
                    "FakeLeaderLatchTest#aCallbackMayCloseTheLatch"),
            mutant("FakeLeaderLatch", "engine.last().rejoins() == revocations",
                    "true",
                    "FakeLeaderLatchTest#anExecutorIsUsedIfThereIsOne"),
            mutant("FakeLeaderLatch", "        publish();\n        for (",
                    "        for (",
                    "FakeLeaderLatchTest#itKnowsWhoContends"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
