package io.quorate.core;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.core.path.ContendedPaths;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Storms of overloaded nodes find work that makes more work: each of these mutants leaves paths without a leader. */
class OverloadMutantsTest {

    private static Mutant mutant(String fault, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate.core.OverloadStormHunt", change);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // ADR-0081
            mutant(
                    "a leader makes way on all paths at one moment",
                    in(ContendedPaths.class, "preempt").constant(16).answers(1_000_000)));

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
