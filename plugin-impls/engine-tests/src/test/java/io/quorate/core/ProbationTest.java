package io.quorate.core;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.core.directory.ContenderDirectory;
import io.quorate.core.directory.Page;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.support.SupportGranter;
import io.quorate.core.support.SupportHeld;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A rule of liveness and a repair stay if a promise misses them: with the rule off, the test of that promise fails. A
 * rule that is missed by its own test alone is worth less than its code.
 */
class ProbationTest {

    /** What the changes put in. */
    public static final class Faults {

        private Faults() {}

        public static Optional<ContenderRecord> there(
                ContenderDirectory<?> directory, Page page, ContenderId contender) {
            return Optional.of(new ContenderRecord(contender, "p", 1, 0, 0, 1));
        }

        public static long never(long instant) {
            return Long.MAX_VALUE / 2 + instant / 2;
        }
    }

    // Rules of a storm: docs/verification.md#storms.
    private static final String STORMS = "StormHunt";
    private static final String STORMS_WITH_CHANGES = "ChangeStormHunt";
    private static final String STORMS_WITH_ONE_WAY_LINKS = "OneWayStormHunt";
    private static final String STORMS_WITH_OVERLOAD = "OverloadStormHunt";
    // docs/protocol.md#hand-over
    private static final String HAND_OVER = "HandoverTest#";

    private static final String CLAIMS = "io.quorate.core.path.Claims";
    private static final String SUCCESSION = "io.quorate.core.path.Succession";
    private static final String CLAIM_PACE = "io.quorate.core.path.ClaimPace";

    private static final List<Mutant> RULES = List.of(
            // hand-over
            off(
                    "nobody elects while a successor claims",
                    HAND_OVER + "nobodyElectsWhileTheSuccessorClaims",
                    in(SUCCESSION, "isBeingTaken").returns(false)),
            off(
                    "the release names the successor",
                    HAND_OVER + "successorLeadsAfterOneMessage",
                    in(Voter.class, "onRelease").call("Release.successor").runs(Optional.class, "empty")),
            off(
                    "votes are the word of a hand-over that is lost",
                    HAND_OVER + "votesAreEnoughIfTheWordOfTheHandoverIsLost",
                    in(CLAIMS, "isForANamedSuccessor").returns(false)),
            off(
                    "votes that a hand-over should have brought are asked for soon",
                    HAND_OVER + "votesThatOvertakeTheHandoverAreAskedForAgain",
                    in(CLAIMS, "adopt").call("Votes.send").isLeftOut()),
            off(
                    "who claims renews its support at once",
                    HAND_OVER + "successorHasAWholeLeaseAtOnce",
                    in(CLAIMS, "begin").call("hurry").isLeftOut()),
            off(
                    "a voter tells its own node at once who has left",
                    HAND_OVER + "contenderThatLeftDoesNotFollow",
                    in(Voter.class, "onRegistrations").call("forEach").isLeftOut()),
            off(
                    "who claims is answered at once",
                    HAND_OVER + "successorHasAWholeLeaseAtOnce",
                    in(SupportGranter.class, "onHeartbeat").call("urgent").answers(false)),
            // the succession
            off(
                    "contenders have patience with a nominee",
                    "LateNomineeTest#anotherLeads",
                    in(SUCCESSION, "patienceEnds").runs(OptionalLong.class, "empty")),
            off(
                    "the holder of the own vote is asked",
                    STORMS,
                    in(SUCCESSION, "askForOwnVote").doesNothing()),
            off(
                    "a vote that is asked back is given back",
                    STORMS,
                    in("io.quorate.core.path.Votes", "onChallenge").doesNothing()),
            off(
                    "the first claim of a node does not wait for others",
                    "FirstClaimTest#aloneItLeadsAtOnce",
                    in(CLAIMS, "obstacle").call("isFirst").answers(false)),
            // work
            off(
                    "claims that are late teach patience",
                    STORMS_WITH_OVERLOAD,
                    in(CLAIM_PACE, "onLate").write("usualAnswerTime").isLeftOut()),
            off(
                    "claims wait longer where votes take long",
                    STORMS_WITH_OVERLOAD,
                    in(CLAIM_PACE, "patience").read("usualAnswerTime").answers(0L)),
            // repairs
            off(
                    "a node that has lost its majority renounces",
                    STORMS,
                    in(SupportHeld.class, "renounced").runs(Optional.class, "empty")),
            Mutants.mutant(
                    "off: a belief does not begin so late that it is over before the next answer",
                    "io.quorate.testkit.ColdStartTest#startingNodeConnectsOnce",
                    in(SupportHeld.class, "onAck").call("LeaseTiming.heartbeat").answers(0L)),
            off(
                    "a node renounces what it has not believed for long",
                    STORMS_WITH_ONE_WAY_LINKS,
                    in(SupportHeld.class, "nextHeartbeat")
                            .call("renounceSilent")
                            .isLeftOut()),
            off(
                    "a claim asks voters that this node believes in",
                    STORMS_WITH_ONE_WAY_LINKS,
                    in("io.quorate.core.path.Votes", "send")
                            .call("SupportHeld.believes")
                            .answers(true)),
            off(
                    "a released vote goes to a successor that is registered",
                    STORMS_WITH_ONE_WAY_LINKS,
                    in(Voter.class, "onRelease")
                            .call("ContenderDirectory.registered")
                            .runs(Faults.class, "there")),
            off(
                    "a voter that has forgotten everything is told again",
                    STORMS,
                    in("io.quorate.core.path.PathTable", "register").doesNothing()),
            off(
                    "what a voter does not acknowledge is sent again",
                    STORMS,
                    in("io.quorate.core.directory.Outbox", "next")
                            .call("resendAt")
                            .passes(Faults.class, "never")),
            off(
                    "who renounces its epoch is registered anew",
                    "LostReleaseTest#leaderThatClosedWhileItWasCutOffIsNotListedForEver",
                    in(SupportGranter.class, "onHeartbeat")
                            .call("onSupportEnded")
                            .isLeftOut()),
            // voters that change
            off(
                    "a new voter is asked for many votes at once",
                    "ChangeOfVotersTest#leadersOfThousandsOfPathsGoOnOverALongLink",
                    in("io.quorate.core.path.VoterQueue", "new")
                            .call("votersSince")
                            .runs(OptionalLong.class, "empty")),
            off(
                    "votes are asked for faster while leases under the former voters run out",
                    "ChangeOfVotersTest#leadersOfThousandsOfPathsGoOnOverALongLink",
                    in("io.quorate.core.path.Tenures", "isFrozen").returns(false)),
            off(
                    "who is at an older list is told of the newer one",
                    STORMS_WITH_CHANGES,
                    in(KnownVoters.class, "isOfNumber").call("tell").isLeftOut()),
            off(
                    "who has no majority asks for the list",
                    STORMS_WITH_CHANGES,
                    in(KnownVoters.class, "ask").doesNothing()),
            off(
                    "a coordinator repeats what is not answered",
                    STORMS_WITH_CHANGES,
                    in(VoterChange.class, "repeat").call("VoterChange.tickAt").isLeftOut()),
            off(
                    "what a coordinator left open comes to its end",
                    STORMS_WITH_CHANGES,
                    in(Acceptor.class, "endWhatIsOpen").call("Owner.onLeftOpen").isLeftOut()));

    /** @param promise the test that misses the rule */
    private static Mutant off(String rule, String promise, CodeChange change) {
        return Mutants.mutant("off: " + rule, "io.quorate.core." + promise, change);
    }

    @Test
    void everyRuleCanBeSwitchedOff() {
        Mutants.assertCanBeMade(RULES);
    }

    @TestFactory
    @Tag("probation")
    Stream<DynamicTest> aPromiseMissesEveryRule() {
        return Mutants.tests(RULES);
    }
}
