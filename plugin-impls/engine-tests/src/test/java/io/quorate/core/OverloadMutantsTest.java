package io.quorate.core;

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

/** Storms of overloaded nodes find work that makes more work: each of these mutants leaves paths without a leader. */
class OverloadMutantsTest {

    private static final String PACE = "io.quorate.core.path.ClaimPace";

    private static Mutant mutant(String fault, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate.core.OverloadStormHunt", change);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // ADR-0085
            mutant(
                    "a claim that is late teaches nothing",
                    in(PACE, "onLate").write("usualAnswerTime").isLeftOut()),
            mutant(
                    "claims wait no longer where votes take long",
                    in(PACE, "patience").read("usualAnswerTime").answers(0L)));

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
