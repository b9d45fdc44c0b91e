package io.quorate;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each rule of LeaderLatch's contract, broken in one line, and the test that notices. */
class FacadeMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/" + file + ".java", original, mutated, "io.quorate." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant("Reign", "return REPORTED.compareAndSet(this, 0, 1);",
                    "return reported == 0;",
                    "LeaderLatchContractTest#anExpiredLeaseIsReportedToTheEngineOnce"),
            mutant("LatchContender", "            last.tenure.end();\n",
                    "",
                    "LeaderLatchCloseTest#silentCloseTellsNobodyAndEndsTheTenureBeforeItReturns"),
            mutant("LatchContender", "last.isSilenced = mode == LeaderLatch.CloseMode.SILENT;",
                    "last.isSilenced = false;",
                    "LeaderLatchCloseTest#silentCloseTakesBackAnIsLeaderThatHasNotBegun"),
            mutant("LatchContender", "            reign = begun;\n            listeners.deliver(",
                    "            listeners.deliver(",
                    "LeaderLatchCloseTest#aLatchStartedBeforeItsClientJoinsWithIt"),
            mutant("LatchContender", "                tenure.end();\n                return;",
                    "                return;",
                    "LeaderLatchContractTest#aGrantAfterCloseIsEndedAndTellsNobody"),
            mutant("LatchContender",
                    "            if (state == LeaderLatch.State.STARTED) {\n"
                            + "                candidacy.thenAccept(Engine.Candidacy::rejoin);\n            }",
                    "            candidacy.thenAccept(Engine.Candidacy::rejoin);",
                    "LeaderLatchListenerTest#aClosedLatchDoesNotRejoin"),
            mutant("LatchContender", "                isClosedByClient = true;",
                    "                isClosedByClient = false;",
                    "LeaderLatchCloseTest#afterTheClientTheFirstCloseIsQuietAndTheSecondIsRefused"),
            mutant("LatchContender", "endsLeadership && current != null",
                    "false && current != null",
                    "LeaderLatchConnectionTest#withTheSessionPolicyLeadershipSurvivesSuspendedAndEndsWithLost"),
            mutant("LeaderLatch", "Objects.requireNonNull(mode, \"closeMode cannot be null\");\n        if",
                    "if",
                    "LeaderLatchContractTest#closeNullChangesNothing"),
            mutant("ListenerSet", "while (!isBusy && ",
                    "while (",
                    "LeaderLatchListenerTest#anExecutorGetsOneCallbackAtATime"),
            mutant("ListenerSet", "                if (!isRemoved) {",
                    "                if (true) {",
                    "LeaderLatchListenerTest#aRemovedListenerIsNotCalledAnyMore"),
            mutant("ListenerSet", "                registration.executor = executor;\n",
                    "",
                    "LeaderLatchListenerTest#aListenerAddedTwiceIsCalledOnceOnTheNewExecutor"),
            mutant("LeaderLatch", "            cancelStartTask();\n",
                    "",
                    "DropInTest#aSubclassIsAskedAtEachStepOfItsLife"),
            mutant("LeaderSelectorListenerAdapter", "client.getConnectionStateErrorPolicy().isErrorState(newState)",
                    "newState == ConnectionState.LOST",
                    "DropInTest#theAdapterCancelsAsThePolicyOfAMockedClientSays"),
            mutant("ElectionClient", "return settings.errorPolicy();",
                    "return new SessionConnectionStateErrorPolicy();",
                    "DropInTest#aListenerMayAskTheClientForItsErrorPolicy"),
            mutant("ElectionClient", "settings.errorPolicy().isErrorState(ConnectionState.SUSPENDED)",
                    "false",
                    "LeaderLatchConnectionTest#withTheStandardPolicyLeadershipEndsAtSuspended"),
            mutant("ElectionClient", "open.forEach(PathUser::closeWithClient);",
                    "",
                    "LeaderLatchCloseTest#closingTheClientClosesItsLatchesEachInItsMode"),
            mutant("ElectionClient", "                stoppedByItself(cause);",
                    "",
                    "ElectionClientTest#whoeverWaitsIsToldThatTheNodeHasStoppedByItself"),
            mutant("LatchContender", "        long left = current.tenure.remainingNanos(clock);",
                    "        long left = Long.MAX_VALUE;",
                    "LeaderLatchContractTest#leadershipIsTokenAndTimeLeftOfOneTenure"),
            mutant("ElectionClient", "                waiting = List.copyOf(users);",
                    "                waiting = List.of();",
                    "LeaderLatchCloseTest#aLatchStartedBeforeItsClientJoinsWithIt"),
            mutant("ElectionClient", " || users.isUsed(user.path())",
                    "",
                    "LeaderLatchViewTest#aPathIsNoLongerWatchedWhenItsLastLatchIsClosed"),
            mutant("ElectionClient", "            case STOPPED -> user.closeWithClient();",
                    "            case STOPPED -> { }",
                    "LeaderLatchCloseTest#aLatchThatIsStartedOnAClosedClientIsClosedAtOnce"),
            mutant("ElectionClient", "                if (user.watches()) {",
                    "                if (false) {",
                    "LeaderObserverTest#stopsWatchingWhenTheLastObserverAndLatchHaveGone"),
            mutant("LeaderObserver", "            if (hasLeft) {",
                    "            if (false) {",
                    "LeaderObserverTest#leavesNothingBehindWhenItIsClosedBeforeItHasJoined"),
            mutant("WatchedPaths", "        if (waiting.containsKey(path)) {",
                    "        if (false) {",
                    "LeaderLatchViewTest#aQuestionThatWaitsKeepsThePathWatchedUntilItIsAnswered"),
            mutant("LeaderObserver", "next != NOBODY && next.token < tokenMax",
                    "false",
                    "LeaderObserverTest#neverGoesBackToAnEarlierLeader"),
            mutant("LeaderObserver", "        known = NOBODY;\n        listeners.clear();\n",
                    "",
                    "LeaderObserverTest#isToldNothingAfterClosing"),
            mutant("LeadershipStages", "executor.execute(() -> completion.accept(stage))",
                    "completion.accept(stage)",
                    "StagesTest#awaitAsyncCompletesWithTheTokenOnACallbackThread"),
            mutant("LatchContender", "        stages.closed(neverLeads());\n",
                    "",
                    "StagesTest#awaitAsyncEndsWithTheLatch"),
            mutant("ClientViews", "onCallbackThread(engine.orTimeout(view, connectionTimeout))",
                    "onCallbackThread(view)",
                    "StagesTest#viewWithoutAVoterFailsAfterTheConnectionTimeout"),
            mutant("PathUsers", "            first.put(path, next);\n",
                    "",
                    "PathUsersTest#behaveAsASet"),
            mutant("core/PathListings", "byVoter[voter] = shared(voter, own);",
                    "shared(voter, own);",
                    "LatchMemoryTest#aLatchAtRestTakesLittle"),
            mutant("core/Voter", "page.shared(claimer)", "claimer",
                    "LatchMemoryTest#aLatchAtRestTakesLittle"),
            mutant("LeaderLatch", "client.onCallbackThread(contender.transferTo(participantId))",
                    "contender.transferTo(participantId)",
                    "StagesTest#whatFollowsATransferDoesNotRunOnTheEnginesThread"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
