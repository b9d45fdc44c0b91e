package io.quorate.testkit.simulation;

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

/** Whatever leaves something behind for each contender, path, watch or election that was there is found. */
class LeftoversMutantsTest {

    private static final String DIRECTORY = "io.quorate.core.directory.";
    private static final String PATH = "io.quorate.core.path.";

    private static Mutant ofNodes(String fault, CodeChange change) {
        return Mutants.mutant(fault, "io.quorate.testkit.simulation.LeftoversHunt", change);
    }

    private static final List<Mutant> MUTANTS = List.of(
            ofNodes(
                    "a peer that does not answer is owed a word about everything that was there",
                    in(DIRECTORY + "Outbox", "end").returns(true)),
            ofNodes(
                    "subscriptions keep the places of pages that were left",
                    in(DIRECTORY + "Subscriptions", "leave").doesNothing()),
            ofNodes(
                    "a voter keeps pages that nobody uses",
                    in(DIRECTORY + "ContenderDirectory", "forgetIfUnused").doesNothing()),
            ofNodes(
                    "a node keeps paths that it does not use",
                    in(PATH + "PathTable", "forgetIfUnused").doesNothing()),
            ofNodes(
                    "elections that nobody takes part in go on",
                    in("io.quorate.core.election.Elections", "leave").doesNothing()),
            Mutants.mutant(
                    "who was in a list, and whose own word waits, counts as never told of",
                    DIRECTORY + "ContenderDirectoryTest#listedContenderIsReportedAsLeft",
                    in(DIRECTORY + "Outbox", "told").doesNothing()));

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
