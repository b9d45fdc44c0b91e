package io.quorate.runtime;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Random storms find what is wrong with the driver, its envelopes, and the file of terms. */
@Tag("mutants")
class DriverStormMutantsTest {

    private static Mutant mutant(String type, String original, String mutated) {
        return new Mutant("io/quorate/runtime/" + type + ".java", original, mutated,
                "io.quorate.runtime.DriverStormHunt");
    }

    private static final List<Mutant> MUTANTS = List.of(
            // the file of terms
            mutant("TermKeeper", "                store.store(next);",
                    "                if (next == null) {\n                    store.store(next);\n                }"),
            mutant("TermKeeper", "long incarnation = Math.max(former.incarnation() + 1, clock.wallMillis());",
                    "long incarnation = 1;"),
            mutant("TermKeeper", "return new Node.Birth(incarnation, former.termCeiling(), true);",
                    "return new Node.Birth(incarnation, 0, true);"),
            mutant("FileTermStore", "            files.force(channel);\n", "\n"),
            mutant("FileTermStore", "        files.forceDirectory(directory);", ""),
            // the driver
            mutant("ElectionDriver", "if (wake - clock.nanoTime() <= 0) {",
                    "if (wake - clock.nanoTime() <= -400_000_000) {"),
            mutant("ElectionDriver", "            termKeeper.reserve(reserve.upTo());",
                    "            step(new NodeEvent.TermsReserved(reserve.upTo()));"),
            mutant("ElectionDriver", "step(new NodeEvent.Withdraw(number));", "LOG.debug(\"\");"),
            mutant("DriverCandidacy", "driver.post(new NodeEvent.Rejoin(number));", "driver.self();"),
            mutant("Post", "if (body.length() > Links.BODY_LENGTH_MAX) {", "if (body.length() > 60) {"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
