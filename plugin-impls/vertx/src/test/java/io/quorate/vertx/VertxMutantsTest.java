package io.quorate.vertx;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Each rule of the transport, broken in one line, and the test that notices. */
@Tag("mutants")
class VertxMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/vertx/" + file + ".java", original, mutated, "io.quorate.vertx." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant("PeerGate", "if (pending >= pendingMax || isPaused(now)) {",
                    "if (pending >= pendingMax) {",
                    "PeerGateTest#thePauseGrowsFromATenthOfASecondToOneSecond"),
            mutant("PeerGate", "if (pending >= pendingMax || isPaused(now)) {",
                    "if (isPaused(now)) {",
                    "PeerGateTest#atMostABoundedNumberOfWritesIsUnderWay"),
            mutant("PeerGate", "int pendingMax = unreachable ? 1 : PENDING_MAX;",
                    "int pendingMax = PENDING_MAX;",
                    "PeerGateTest#anUnreachablePeerIsTriedWithOneFrameAtATime"),
            mutant("PeerGate", "        pause = 0;\n",
                    "",
                    "PeerGateTest#aWriteEndsThePause"),
            mutant("Endpoint", "report(peer, peer.gate.onUnreachable(System.nanoTime()), failure);",
                    "promise.succeed(address);",
                    "VertxTransportTest#aPeerThatDiesWhileFramesFlowIsReportedOnceAndWithoutAWordOfVertx"),
            mutant("Endpoint", "            onFailed(peer, e);\n        }\n    }\n\n    private Peer peer",
                    "            sendsDropped.increment();\n        }\n    }\n\n    private Peer peer",
                    "VertxTransportTest#aProducerThatThrowsIsAWriteThatFailed"),
            mutant("PeerGate", "if (!unreachable || wasShortened) {",
                    "if (!unreachable) {",
                    "PeerGateTest#aFrameOfThePeerEndsOnePauseAndDoesNotStopThemFromGrowing"),
            mutant("PeerGate", "if (!changed || wasReported && now - reportedAt < REPORT_NANOS) {",
                    "if (!changed) {",
                    "PeerGateTest#aPeerThatIsLostIsNewsOncePerMinute"),
            mutant("PeerGate",
                    "        if (isPaused(now)) {\n            pending--;\n            return false;\n        }\n",
                    "",
                    "PeerGateTest#aFrameThatWasTakenBeforeAFailureIsNotWrittenAfterIt"),
            mutant("PeerGate", "Math.min(PAUSE_MAX_NANOS, 2 * pause)",
                    "2 * pause",
                    "PeerGateTest#thePauseGrowsFromATenthOfASecondToOneSecond"),
            mutant("PeerGate", "        if (!isPaused(now)) {\n            pause =",
                    "        if (now >= 0) {\n            pause =",
                    "PeerGateTest#framesThatFailTogetherCountAsOneFailure"),
            mutant("PeerGate", "boolean changed = !unreachable;",
                    "boolean changed = true;",
                    "PeerGateTest#aFrameOfThePeerIsNoProofThatItIsReached"),
            mutant("EmbeddedOptions", "setClientAuth(ClientAuth.REQUIRED)",
                    "setClientAuth(ClientAuth.NONE)",
                    "EmbeddedOptionsTest#bothSidesOfMutualTlsMustShowACertificate"),
            mutant("EmbeddedOptions", ".setTrustAll(false)",
                    ".setTrustAll(true)",
                    "EmbeddedOptionsTest#bothSidesOfMutualTlsMustShowACertificate"),
            mutant("EmbeddedOptions", ".setReconnectAttempts(0)",
                    ".setReconnectAttempts(3)",
                    "StaticClusterManagerTest#theEmbeddedOptionsAreTheMeasuredOnes"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
