package io.quorate.core;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.core.step.StepContext;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.support.SupportGiven;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterPlaces;
import io.quorate.spi.NodeId;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each rule of docs/reconfiguration.md is broken in one place, and storms in which other nodes come to vote find it, or
 * the test that is about it.
 */
class ChangeMutantsTest {

    /** What the changes put in. */
    public static final class Faults {

        private Faults() {}

        public static boolean namesAnyDirectory(VoterList voters, NodeId id, long store) {
            return voters.indexOf(id) >= 0;
        }

        public static boolean yes(boolean no) {
            return true;
        }

        public static boolean isHalf(VoterList voters, int count) {
            return 2 * count >= voters.size();
        }

        public static boolean isMajorityOfOneLess(VoterList voters, int count) {
            return voters.number() > 1 ? 2 * count > voters.size() - 1 : voters.isMajority(count);
        }

        public static long first(long one, long other) {
            return one;
        }

        public static long beforeQuarantine(StepContext context) {
            long support = context.settings().lease().support();
            return context.selfVoter() < 0 ? context.now() - support : context.now();
        }

        public static boolean addInExchange(List<Object> next, Object added) {
            next.add(added);
            next.remove(0);
            return true;
        }

        public static int[] likeTheFirst(int[] former) {
            return Arrays.stream(former).map(place -> Math.max(0, place)).toArray();
        }

        /** What is written now leaves as if it had been. */
        static void writeLater(Acceptor acceptor) throws ReflectiveOperationException {
            acceptor.onHeartbeatPeriod();
            Field wanted = Acceptor.class.getDeclaredField("wanted");
            wanted.setAccessible(true);
            acceptor.onStored((PaxosState) wanted.get(acceptor));
        }
    }

    private static Mutant mutant(String fault, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.core.ChangeStormHunt", changes);
    }

    private static Mutant mutantOf(String test, String fault, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.core.ChangeOfVotersTest#" + test, changes);
    }

    private static final List<Mutant> MUTANTS = List.of(
            mutant(
                    "R3: a voter supports under any number",
                    in("io.quorate.core.Node$Parts", "onHeartbeat")
                            .call("isOfNumber")
                            .passes(Faults.class, "yes")),
            mutant(
                    "R4: a promise does not wait for older support",
                    in(KnownVoters.class, "olderSupport")
                            .call("LeaseTiming.support")
                            .answers(0L)),
            mutant(
                    "R4: a promise does not wait for the quarantine",
                    in(Voter.class, "quarantineLeft").returns(0L)),
            mutant(
                    "R4: a promise leaves before it is stored",
                    in(Acceptor.class, "write").call("start").runs(Faults.class, "writeLater")),
            // The coordinator takes one voter per step, and voters accept nothing else.
            mutant(
                    "R5: a step exchanges one voter for another",
                    in(VoterList.class, "mayBecome").call("distance").answers(1),
                    in(VoterPlan.class, "next").call("List.add").runs(Faults.class, "addInExchange")),
            mutant(
                    "R5: what one voter has accepted counts as decided",
                    in(Proposer.class, "onAcceptance").call("isMajority").answers(true)),
            mutant(
                    "R5: one promise is enough",
                    in(Proposer.class, "onPromise").call("isMajority").answers(true)),
            mutant(
                    "R5: a half of the voters is enough",
                    in(Proposer.class, "onPromise").call("isMajority").runs(Faults.class, "isHalf"),
                    in(Proposer.class, "onAcceptance").call("isMajority").runs(Faults.class, "isHalf")),
            mutant(
                    "R5: a voter accepts below its promise",
                    in(PaxosState.class, "mayAccept").call("Round.compareTo").answers(1)),
            mutant(
                    "R5: a coordinator ignores what was accepted",
                    in(PaxosState.class, "last").runs(Optional.class, "empty")),
            mutant(
                    "R6: there is no floor",
                    in(Proposer.class, "onPromise").call("LongStream.reduce").answers(0L)),
            // A claim that begins is in a term above the floor, and one that is under way is raised. The second alone
            // is
            // not missed: no claim is under way for as long as it takes to replace so many voters.
            mutant(
                    "R7: a claim from before the change wins below the floor",
                    in("io.quorate.core.path.Claims", "raiseAboveFloor").returns(false),
                    in("io.quorate.core.path.Votes", "nextTerm")
                            .call("VoterList.floor")
                            .answers(0L)),
            // Where the switch is concerned, this is defended three times: the step notices the loss of the majority as
            // well before it learns of a list, and a lease that is over is never renewed. So no test finds that rule
            // alone to be broken; that nothing at all ends such a tenure is found at once.
            mutant(
                    "R8: a step does not end first what is over",
                    in(Node.class, "step").call("Tenures.endOverdue").isLeftOut()),
            mutantOf(
                    "aVoterWhoseDirectoryIsLostIsTakenInAnewBeforeItVotes",
                    "R9: a voter with an empty directory is the same voter",
                    in(VoterList.class, "names").runs(Faults.class, "namesAnyDirectory")),
            mutantOf(
                    "aNodeThatMayHaveVotedIsSilentAfterItsStart",
                    "R10: only voters have a quarantine",
                    in(Voter.class, "quarantineFor").call("StepContext.now").runs(Faults.class, "beforeQuarantine")),
            mutantOf(
                    "aSoleVoterThatIsReplacedLeadsNoLongerThanItIsHeard",
                    "R2: the support of a sole voter for itself has no end after the change",
                    in(SupportHeld.class, "freeze").call("Math.min").runs(Faults.class, "first"),
                    in(SupportHeld.class, "onVoters").call("Math.min").runs(Faults.class, "first")),
            // A node that has lost its majority ends its tenures, whatever their leases are.
            mutantOf(
                    "aSoleVoterThatIsReplacedLeadsNoLongerThanItIsHeard",
                    "R2: a lease goes on with a majority of the former voters",
                    in(SupportHeld.class, "longest").call("isMajority").runs(Faults.class, "isMajorityOfOneLess"),
                    in(SupportHeld.class, "hasMajority").call("isMajority").runs(Faults.class, "isMajorityOfOneLess")),
            mutant(
                    "R2: a new voter has given what another has",
                    in(VoterPlaces.class, "new").write("former").passes(Faults.class, "likeTheFirst")),
            mutantOf(
                    "leadershipGoesOnWithItsToken",
                    "R2: the change looks like a lost majority",
                    in(SupportHeld.class, "isFormerGood").returns(false)),
            Mutants.mutant(
                    "R9: the first list leaves directories of those that vote on unnamed",
                    "io.quorate.core.VoterIdentityTest",
                    in(VoterPlan.class, "unnamed").runs(Optional.class, "empty")),
            Mutants.mutant(
                    "belief 1: each node has a word in who votes",
                    "io.quorate.core.InsiderListsTest",
                    in(Authority.class, "isMember").returns(true)),
            Mutants.mutant(
                    "belief 2: one voter is enough",
                    "io.quorate.core.AuthorityListsTest",
                    in(Authority.class, "follow").call("isMajority").answers(true)),
            mutant(
                    "R11: what was left open stays so",
                    in(Acceptor.class, "endWhatIsOpen").call("Owner.onLeftOpen").isLeftOut()),
            Mutants.mutant(
                    "a voter that came back goes on in the epoch in which it left",
                    "io.quorate.core.ReturningVoterTest",
                    in(SupportGiven.class, "endEpochs")
                            .call("Collection.forEach")
                            .isLeftOut()),
            Mutants.mutant(
                    "a node goes on in the epoch of a voter that it has seen leave",
                    "io.quorate.core.ReturningVoterTest",
                    in(SupportHeld.class, "freeze").call("rememberAll").isLeftOut()),
            mutantOf(
                    "contenderListedByAMajorityOfTheNextVotersHasJoined",
                    "what voters list is not counted anew among the next ones",
                    in("io.quorate.core.path.ContendedPath", "takeRecount").returns(false)),
            mutantOf(
                    "nobodyIsSuspendedByAChange",
                    "a new voter counts as silent at once",
                    in(NodeLiveness.class, "freeze").call("Math.min").answers(0L)));

    @Test
    void everyMutantCanBeMade() {
        Mutants.assertCanBeMade(MUTANTS);
    }

    @TestFactory
    @Tag("mutants")
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
