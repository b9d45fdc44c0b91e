package io.quorate.core;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.core.directory.ContenderDirectory;
import io.quorate.core.message.ContenderId;
import io.quorate.core.support.SupportGiven;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.support.Supporters;
import io.quorate.core.vote.Ballot;
import io.quorate.core.vote.Candidate;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.Tenure;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Random storms find what is wrong with the lease, the votes, the support and the terms: each of these mutants breaks a
 * rule within the first 3,000 storms. A build runs 150 of a kind.
 */
class StormMutantsTest {

    /** What the changes put in. */
    public static final class Faults {

        private static final long LATE_NANOS = 400_000_000;

        private Faults() {}

        public static long asLongAsSupport(long support, int driftPercent) {
            return support;
        }

        public static long half(long nanos) {
            return nanos / 2;
        }

        public static long earlier(long now) {
            return now - LATE_NANOS;
        }

        public static long later(long now) {
            return now + LATE_NANOS;
        }

        public static boolean isHalf(VoterList voters, int count) {
            return 2 * count >= voters.size();
        }

        public static boolean releaseInAnyTerm(Ballot ballot, ContenderId contender, long released, long ceiling) {
            return ballot.onRelease(contender, Math.max(released, ballot.term()), ceiling);
        }

        public static Ballot.Verdict claimAboveCeiling(
                Ballot ballot, ContenderId claimer, long claimed, Supporters supporters, long ceiling) {
            return ballot.onClaim(claimer, claimed, supporters, ceiling + 100_000);
        }

        public static long zero(long floor) {
            return 0;
        }
    }

    private static Mutant mutant(String fault, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate.core.StormHunt", change);
    }

    private static Mutant drain(String fault, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate.core.DrainStormHunt", change);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // docs/protocol.md#clocks
            mutant(
                    "support is believed for as long as it lasts",
                    in(LeaseTiming.class, "belief(long,int)").runs(Faults.class, "asLongAsSupport")),
            mutant(
                    "a voter has no quarantine",
                    in(Voter.class, "start").call("LeaseTiming.support").answers(0L)),
            // lease and support
            mutant(
                    "belief counts from after the sending of a heartbeat",
                    in(SupportHeld.class, "nextHeartbeat").call("now").passes(Faults.class, "later")),
            mutant(
                    "support lasts half as long",
                    in(SupportGiven.class, "onHeartbeat")
                            .call("LeaseTiming.support")
                            .passes(Faults.class, "half")),
            mutant(
                    "renewed support has the epoch of the former one",
                    in(SupportGiven.class, "onHeartbeat").write("epochCounter").isLeftOut()),
            mutant(
                    "a tenure outlasts its lease",
                    in(Tenure.class, "isValid").call("nanoTime").passes(Faults.class, "earlier")),
            // votes
            mutant("a half is a majority", in(VoterList.class, "isMajority").runs(Faults.class, "isHalf")),
            mutant(
                    "a live vote is no obstacle",
                    in(Ballot.class, "isLiveForAnother").returns(false)),
            mutant(
                    "a release counts in any term",
                    in(Voter.class, "onRelease").call("Ballot.onRelease").runs(Faults.class, "releaseInAnyTerm")),
            mutant(
                    "a vote that is needed is given back",
                    in("io.quorate.core.path.Votes", "giveBack")
                            .call("Candidate.releaseUnlessNeeded")
                            .answers(true)),
            mutant(
                    "a candidate does not know which votes it needs",
                    in(Candidate.class, "releaseUnlessNeeded").call("covers").answers(false)),
            // terms
            mutant(
                    "a restart of a voter forgets the terms of its paths",
                    in(ContenderDirectory.class, "new").write("floor").passes(Faults.class, "zero")),
            mutant(
                    "a vote leaves before its term is durable",
                    in(Voter.class, "onClaim").call("Ballot.onClaim").runs(Faults.class, "claimAboveCeiling")),
            mutant(
                    "the term of a forgotten path is forgotten",
                    in(ContenderDirectory.class, "forgetIfUnused")
                            .write("floor")
                            .isLeftOut()),
            // progress
            mutant(
                    "a node that has lost its majority does not renounce",
                    in(SupportHeld.class, "renounced").runs(Optional.class, "empty")),
            mutant(
                    "a voter that has forgotten everything is not told of contenders again",
                    in("io.quorate.core.path.PathTable", "register").doesNothing()),
            // ADR-0096
            drain(
                    "who ranks last does not make way when its work is finished",
                    in("io.quorate.core.path.Preemption", "onDrained").doesNothing()),
            drain(
                    "a transfer is forgotten when the work is finished",
                    in("io.quorate.core.path.Departures", "finishTransfer").doesNothing()),
            drain(
                    "who leaves and has nobody to follow never leaves nor stays",
                    in("io.quorate.core.path.Tenures", "stay").doesNothing()));

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
