package io.quorate.complaints;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** What users complained about, put into the code in one line, and the test that notices. */
@Tag("mutants")
class ComplaintMutantsTest {

    private static final String DOUBLE = "DoubleLeaderComplaintsTest#";
    private static final String NONE = "NoLeaderComplaintsTest#";
    private static final String CLOSE = "LeakAndCloseComplaintsTest#";
    private static final String NOTICE = "NotificationComplaintsTest#";
    private static final String SELECTOR = "SelectorComplaintsTest#";

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/" + file + ".java", original, mutated, "io.quorate.complaints." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant("LatchContender", "if (endsLeadership && current != null) {", "if (current != null) {",
                    DOUBLE + "twoReconnectedInARow"),
            mutant("core/Tenure", "if (clock.nanoTime() - until < 0) {", "if (clock.nanoTime() != until) {",
                    DOUBLE + "aLeaderThatSleptKnowsAtOnce"),
            mutant("LatchContender", "candidacy.thenAccept(joined -> joined.resign(current.tenure));", "",
                    DOUBLE + "leadershipCanBeRevoked"),
            mutant("core/Ballot", "return isLive(supporters) && !holder.equals(contender);", "return false;",
                    DOUBLE + "aPartitionOfExactlyOneSessionTime"),
            mutant("core/NodeSettings", "return 2 * count > voters.size();", "return 2 * count + 1 >= voters.size();",
                    "OutageOrderTest"),
            mutant("core/Contests", "        registrar.left(contender);\n", "",
                    DOUBLE + "aClosingLatchLeavesNothingToTheNext"),
            mutant("ElectionClient", "settings.errorPolicy().isErrorState(ConnectionState.SUSPENDED);", "true;",
                    DOUBLE + "aFlappingLinkDoesNotThrash"),
            mutant("ElectionClient", "farewells = open.stream().map(PathUser::closeWithClient).toList();",
                    "farewells = List.of();",
                    DOUBLE + "closingTheClientEndsLeadership"),
            mutant("core/Claims", "isClaiming() || standing.isSuspended()", "isClaiming()",
                    "OutageOrderTest"),
            mutant("core/Belief", "long end = sentAt[(int) (heartbeat % SENT_MAX)] + ",
                    "long end = context.now() + 2 * ",
                    DOUBLE + "aSilentDropIsCountedFromTheLastContact"),

            mutant("LatchContender", "if (life == Life.STARTED) {\n                candidacy",
                    "if (life == Life.LATENT) {\n                candidacy",
                    DOUBLE + "bothReconnectAfterAnOutageOfTheQuorum"),
            mutant("ElectionClient", "changed == ConnectionState.LOST\n", "changed != ConnectionState.SUSPENDED\n",
                    NONE + "reconnectingIsNoResetLoop"),
            mutant("core/Registrar", "                outbox.mark(new Key(contender.path, contender.number));\n",
                    "                context.now();\n",
                    NONE + "wipedStateIsJoinedAnew"),
            mutant("runtime/Guard", "            log(() -> LOG.error(\"A callback threw\", e));\n",
                    "            throw new IllegalStateException(e);\n",
                    NONE + "anExceptionAfterAReconnectionEndsNothing"),
            mutant("ElectionClient", "waiting = List.copyOf(users);", "waiting = List.of();",
                    NONE + "startedWithoutAConnection"),
            mutant("LatchContender", "candidacy.thenAccept(Engine.Candidacy::rejoin);",
                    "candidacy.thenAccept(Engine.Candidacy::explain);",
                    NONE + "aLeaderThatIsBackBlocksNobody"),
            mutant("LeaderLatch", "            client.unregister(contender);\n", "            client.getState();\n",
                    NONE + "anInterruptLeaksNoContender"),
            mutant("core/Explainer", " voters, which is no majority\"", " voters\"",
                    NONE + "whoeverWaitsIsToldWhy"),

            mutant("LeaderSelector", "requeuesByItself && state == State.STARTED && client", "false && client",
                    SELECTOR + "aSelectorContendsAgainAfterEachLoss"),
            mutant("LeaderSelector", "            Thread.interrupted();\n", "",
                    SELECTOR + "twoInterruptionsEndOneAttempt"),
            mutant("LeaderSelector", "(CancelLeadershipException e) {\n                cancelAttempt();",
                    "(CancelLeadershipException e) {\n                current();",
                    SELECTOR + "whatIsLostBeforeItBeginsIsNotTaken"),
            mutant("LeaderSelector", "        if (attempt != null) {\n            return false;\n        }\n", "",
                    SELECTOR + "withoutAutoRequeueTheApplicationQueues"),

            mutant("ElectionClient", "        user.leave();\n", "",
                    CLOSE + "closeThatRacesTheJoiningLeavesNothing"),
            mutant("LeaderLatch", "Objects.requireNonNull(mode, \"closeMode cannot be null\");", "",
                    CLOSE + "closeNullDoesNotHalfClose"),
            mutant("runtime/ElectionDriver", "LOG.info(\"node {} is closed\"", "LOG.warn(\"node {} is closed\"",
                    CLOSE + "anOrdinaryCloseIsQuiet"),
            mutant("LatchContender", "            isClosedByClient = true;",
                    "            isClosedByClient = false;",
                    CLOSE + "aClientClosedBeforeItsLatch"),
            mutant("core/Claims", "        contender.keepsPlace = false;\n", "        contender.keepsPlace = true;\n",
                    CLOSE + "handingOverIsResigning"),

            mutant("LatchContender", "if (hasLed && tells) {",
                    "if (hasLed) {",
                    NOTICE + "whoIsToldOfWhat"),
            mutant("ClientViews", ".map(ClientViews::participant).orElseGet(Participant::new);",
                    ".map(ClientViews::participant).orElseThrow();",
                    NOTICE + "whoContendsIsKnownAtAnyTime"),
            mutant("Reign", "fenced.isLeader(tenure.token());", "fenced.isLeader(1);",
                    NOTICE + "aFencingTokenThatRises"),
            mutant("ElectionClient", "|| changed == ConnectionState.SUSPENDED && endsWhenSuspended;", ";",
                    NOTICE + "suspendedIsTolerated"),
            mutant("LatchContender", "        rejoinAfter(returned);",
                    "        rejoinAfter(CompletableFuture.completedFuture(null));",
                    NOTICE + "aSlowNotLeaderIsWaitedFor"),
            mutant("core/Contests", "                joinAtTail(contender);\n            }\n        });",
                    "                contender.stage = Contender.Stage.QUEUED;\n            }\n        });",
                    NOTICE + "whoRefusesQueuesAtTheTail"),
            mutant("LeaderSelector", "this.leaderPath = Paths.validated(leaderPath);", "this.leaderPath = leaderPath;",
                    NOTICE + "relativePathsAreRefused"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
