package io.quorate.runtime;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each rule of the frames between nodes and of the term file, broken in one line, and the test that notices. */
class RuntimeMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/runtime/" + file + ".java", original, mutated, "io.quorate.runtime." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant("ThreadMailbox", "if (framesInARow < FRAMES_PER_CALL) {",
                    "if (true) {",
                    "ThreadMailboxTest#callsAreNotHeldUpByManyFrames"),
            mutant("ThreadMailbox", "        if (framesInARow < FRAMES_PER_CALL) {\n            Runnable frame",
                    "        if (queue.isEmpty()) {\n            Runnable frame",
                    "ThreadMailboxTest#framesComeBeforeManyCalls"),
            mutant("PathViews", "            if (!isAwaited(path)) {\n",
                    "            if (true) {\n",
                    "PathViewsTest#whoeverObservesOrAsksKeepsItWatched"),
            new Mutant("io/quorate/runtime/PathViews.java",
                    "            turns.node().accept(new NodeEvent.WatchPath(path, true));\n            turns.view()",
                    "            turns.view()",
                    "io.quorate.LeaderObserverTest#isToldOfThePresentLeaderAndOfEachChange"),
            new Mutant("io/quorate/runtime/PathViews.java",
                    "turns.view().apply(path).ifPresent(view -> guard",
                    "java.util.Optional.<PathView>empty().ifPresent(view -> guard",
                    "io.quorate.LeaderObserverTest#isToldOfALeaderThatItsNodeKnew"),
            // TRANSPORT.md: the envelope and the gate
            mutant("Link", "return sequence <= received;",
                    "return sequence < received;",
                    "LinksTest#copiesAndLeftOversOfAnOldConnectionAreStale"),
            mutant("Link", "return unacknowledged == WINDOW || isSilent(now);",
                    "return isSilent(now);",
                    "LinksGateTest#atMostAWindowOfFramesIsUnacknowledged"),
            mutant("Link", "(sequences[settled] <= acknowledged || now",
                    "(now",
                    "LinksGateTest#anAcknowledgementMovesTheWindow"),
            mutant("Link", "now - owedSince >= heartbeat + heartbeat / 4;",
                    "now - owedSince >= 3 * heartbeat;",
                    "LinksGateTest#aPeerThatOnlyAcknowledgesIsNotSilent"),
            mutant("Link", "return waiting && now - waitingSince > 2 * heartbeat;",
                    "return false;",
                    "LinksGateTest#aSilentPeerGetsAFewProbesPerHeartbeat"),
            mutant("Link", "probes < PROBES_PER_HEARTBEAT ||",
                    "probes < 1 ||",
                    "LinksGateTest#aSilentPeerGetsEveryHeartbeatAlsoOneThatIsEarlyOrHurried"),
            mutant("Links", "if (in.readLong() != clusterHash) {",
                    "if (in.readLong() == 0) {",
                    "LinksTest#anotherClusterIsDropped"),
            mutant("Links", "now - link.heardAt() >= support",
                    "now - link.heardAt() > support",
                    "LinksTest#anOlderLifeIsDroppedAndToldWhetherItsRivalIsSilent"),
            // The term file: DECISIONS 7
            mutant("TermFile", "if (in.readLong() != computed) {",
                    "if (in.readLong() == -1) {",
                    "FileTermStoreTest#everySingleChangedByteIsNoticed"),
            mutant("TermFile", "        in.expectEnd();\n",
                    "",
                    "FileTermStoreTest#everyTruncationAndEveryByteTooManyIsNoticed"),
            mutant("FileTermStore", "            files.force(channel);\n",
                    "",
                    "FileTermStoreCrashTest#aLossOfPowerLosesNothing"),
            mutant("FileTermStore", "        files.forceDirectory(directory);\n",
                    "",
                    "FileTermStoreCrashTest#aStoreThatReturnedSurvivesALossOfPower"),
            mutant("FileTermStore", "        MemoryTermStore.checkRises(stored, next);\n",
                    "",
                    "FileTermStoreTest#aLowerNumberIsRefusedAlsoAfterARestart"),
            mutant("FileTermStore", "return channel.tryLock() != null;",
                    "return channel.isOpen();",
                    "FileTermStoreTest#aSecondProcessIsRefusedUntilTheFirstEnds"),
            mutant("FileTermStore", "if (!OpenDirectories.take(key, ",
                    "if (key.isEmpty() && !OpenDirectories.take(key, ",
                    "FileTermStoreTest#aRefusedSecondOpenInThisProcessDoesNotFreeTheLockOfTheFirst"),
            mutant("FileTermStore", "        checkLockFile();\n        try {\n            replace",
                    "        try {\n            replace",
                    "FileTermStoreCrashTest#aLockFileThatWasReplacedIsNoticedBeforeAnythingIsWritten"),
            mutant("FileTermStore", "        checkLockFile();\n        files.rename",
                    "        files.rename",
                    "FileTermStoreCrashTest#aLockFileThatIsReplacedDuringAWriteIsNoticedBeforeTheRenaming"),
            mutant("FileTermStore", "            if (lockFile.size() > 0) {",
                    "            if (lockFile.size() < 0) {",
                    "FileTermStoreTest#aLostTermFileIsNoticedByTheLockFile"),
            mutant("TermFiles", "        Files.deleteIfExists(path);\n",
                    "",
                    "FileTermStoreTest#theTemporaryFileIsNotWrittenThroughALink"),
            mutant("TermKeeper", "        thread.execute(store::close);\n        thread.shutdown();\n",
                    "        thread.shutdown();\n        store.close();\n",
                    "TermKeeperTest#theDirectoryStaysLockedUntilTheLastWriteHasEnded"),
            // Messages in frames
            mutant("MessageParts", "out.writeLong(registration.weight());",
                    "out.writeUnsigned(Math.abs(registration.weight() >> 1));",
                    "MessageCodecTest#everyMessageIsReadAsItWasWritten"),
            mutant("MessageCodec", "        inner.expectEnd();\n",
                    "",
                    "MessageCodecTest#aMessageOfAnAlgorithmIsReadToItsEnd"),
            mutant("MessageCodec", "if (inner.length() > ALGORITHM_MESSAGE_MAX) {",
                    "if (inner.length() < 0) {",
                    "MessageCodecTest#aMessageOfAnAlgorithmThatThrowsOrIsTooLongIsNotWritten"),
            mutant("MessageParts", "return in.readString(MessageCodec.PATH_MAX);",
                    "return in.readString(2 * MessageCodec.PATH_MAX);",
                    "MessageCodecTest#aPathIsAtMostSoLong"),
            mutant("Post", "if (body.length() > Links.BODY_LENGTH_MAX) {",
                    "if (body.length() < 0) {",
                    "PostTest#messageThatFitsIntoNoFrameIsCountedAndTheOthersArrive"),
            // Threads of callbacks
            mutant("CallbackPool", "Math.min(THREADS_MAX, Math.max(THREADS_MIN, 2 * threads));",
                    "Math.max(THREADS_MIN, 2 * threads);",
                    "CallbackPoolTest#blockedCallbacksTakeThreadsUpToTheLimit"),
            mutant("CallbackPool", "            isStalled = true;\n",
                    "            isStalled = false;\n",
                    "CallbackPoolTest#callbackForWhichNoThreadAtAllCanBeStartedRunsWhenANodeLooksAfterIt"),
            // The driver
            mutant("ElectionDriver", "        candidacies.each(END_TENURE);\n",
                    "",
                    "ElectionDriverFaultsTest#bugEndsAllLeadershipAndIsNamed"),
            mutant("Guard", "if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {",
                    "if (e instanceof Error fatal) {",
                    "ElectionDriverFaultsTest#errorOfAListenerCostsItsTenureOnly"),
            mutant("ElectionDriver", "        endWaiting(closed());\n",
                    "",
                    "ElectionDriverTest#viewWithoutAVoterWaitsUntilTheDriverIsClosed"),
            mutant("ElectionDriver", "                mailbox.stop(this::finish);\n                closeParts();\n",
                    "                mailbox.stop(this::finish);\n",
                    "ElectionDriverTest#storeThatCannotBeOpenedFailsTheStart"),
            mutant("MessageCodec", "throw new MalformedInputException(\"message of algorithm \"",
                    "throw new IllegalStateException(\"message of algorithm \"",
                    "MessageCodecTest#anAlgorithmThatThrowsAtReadingMakesTheFrameMalformed"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
