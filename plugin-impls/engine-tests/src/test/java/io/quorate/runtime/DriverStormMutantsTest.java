package io.quorate.runtime;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Random storms find what is wrong with the driver, its envelopes, and the file of terms. */
class DriverStormMutantsTest {

    /** What the changes put in. */
    static final class Faults {

        private Faults() {}

        static long later(long wake) {
            return wake + 700_000_000;
        }

        static int manyMore(int length) {
            return length > 60 ? length + Links.BODY_LENGTH_MAX : length;
        }
    }

    private static Mutant mutant(String fault, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate.runtime.DriverStormHunt#storms", change);
    }

    private static final String WITHOUT_DISKS = "io.quorate.runtime.DriverStormHunt#stormsWithoutDisks";

    private static final List<Mutant> MUTANTS = List.of(
            // the file of terms
            mutant(
                    "terms are not stored",
                    in(TermKeeper.class, "write").call("store").isLeftOut()),
            mutant(
                    "a restart forgets which terms were stored",
                    in("io.quorate.core.Node", "new").call("Birth.termCeiling").answers(0L)),
            mutant(
                    "the file is not forced",
                    in(FileTermStore.class, "replace").call("force").isLeftOut()),
            mutant(
                    "the renaming is not forced",
                    in(FileTermStore.class, "replace").call("forceDirectory").isLeftOut()),
            // lives
            Mutants.mutant(
                    "each life has the same name",
                    WITHOUT_DISKS,
                    in(TermKeeper.class, "begin").call("NodeEnvironment.name").answers(77L)),
            // the driver
            mutant(
                    "timers run late",
                    in(ElectionDriver.class, "onTurn").call("nextWake").passes(Faults.class, "later")),
            mutant(
                    "the node does not learn that a contender has left",
                    in("io.quorate.core.path.ContendedPaths", "onWithdraw").doesNothing()),
            mutant(
                    "a contender does not join again",
                    in(DriverCandidacy.class, "rejoin").doesNothing()),
            mutant(
                    "long messages do not leave",
                    in(Post.class, "add").call("Body.length").passes(Faults.class, "manyMore")));

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
