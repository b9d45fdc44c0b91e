package io.quorate.core;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Each rule of the mode without a lease, broken in one line, and the test that notices. */
@Tag("mutants")
class UnleasedMutantsTest {

    private static Mutant mutant(String original, String mutated, String killer) {
        return new Mutant("io/quorate/core/UnleasedNode.java", original, mutated,
                "io.quorate.core.UnleasedNodeTest#" + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant("timers.set(now + settings.lease().suspicion(), () -> {",
                    "timers.set(now + 2 * settings.lease().suspicion(), () -> {",
                    "silentPeerIsSuspectedAfterThreeHeartbeatsAndTrustedWhenItIsHeard"),
            mutant("peer.silence.ifPresent(Timers.Handle::cancel);", "peer.silence = Optional.empty();",
                    "silentPeerIsSuspectedAfterThreeHeartbeatsAndTrustedWhenItIsHeard"),
            mutant("peer.isSuspected = false;", "peer.isSuspected = true;",
                    "silentPeerIsSuspectedAfterThreeHeartbeatsAndTrustedWhenItIsHeard"),
            mutant("peers.get(number).life = received.incarnation();",
                    "peers.get(number).life = received.incarnation();\n        watch(number);",
                    "messagesOfTheElectionAreNoSignOfLife"),
            mutant("if (heartbeat.configHash() != configHash) {", "if (heartbeat.configHash() == 0) {",
                    "nodeOfAnotherConfigurationIsNotHeard"),
            mutant(".add(options.variant().name())", "", "nodeOfAnotherConfigurationIsNotHeard"),
            mutant(" || received.incarnation() < peers.get(number).life", "", "whatAFormerLifeSentIsDropped"),
            mutant("boolean isForThisLife = elect.election() == electionOf(birth.incarnation())",
                    "boolean isForThisLife = elect.election() != 0", "whatIsMeantForAFormerLifeIsDropped"),
            mutant("long life = peers.get(to).life;", "long life = UNKNOWN_LIFE;",
                    "whatIsMeantForAFormerLifeIsDropped"),
            mutant("birth.saved(), OptionalInt", "Event.Saved.NOTHING, OptionalInt",
                    "whatWasSavedIsGivenBackInTheNextLife"),
            mutant("effects.add(new NodeEffect.Save(save.saved()));", "save.saved();",
                    "whatWasSavedIsGivenBackInTheNextLife"),
            mutant("Mark with = named.isPresent() ? nominated : Mark.NONE;", "Mark with = nominated;",
                    "leaderThatTheAlgorithmDropsInSilenceIsNone"),
            mutant("OptionalInt taken = election.leader();",
                    "OptionalInt taken = OptionalInt.of(self);", "leaderThatTheAlgorithmDropsInSilenceIsNone"),
            mutant("cancelTimer(set.timer());", "set.timer();", "timerThatWasReplacedOrCancelledNeverFires"),
            mutant("cancelTimer(cancel.timer());", "cancel.timer();", "timerThatWasReplacedOrCancelledNeverFires"),
            mutant("toSelf.add(message);", "message.hashCode();", "loneMemberHearsItself"),
            mutant("            failure = Optional.of(e);\n", "", "algorithmThatThrowsStopsTheNode"));

    @TestFactory
    Stream<DynamicTest> mutants() {
        return Mutants.tests(MUTANTS);
    }
}
