package io.quorate.core;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Random storms find what is wrong with the lease, the votes, the support and the terms: each of these mutants breaks a
 * rule within the first storms, of which an ordinary build runs ten thousand.
 */
@Tag("mutants")
class StormMutantsTest {

    private static Mutant mutant(String type, String original, String mutated) {
        return new Mutant("io/quorate/core/" + type + ".java", original, mutated, "io.quorate.core.StormHunt");
    }

    private static final List<Mutant> MUTANTS = List.of(
            // Belief shorter than support, and the quarantine: docs/protocol.md#clocks
            mutant("settings/LeaseTiming", "        return belief(support, driftPercent);", "        return support;"),
            mutant("Voter", "context.timers().set(context.now() + context.settings().lease().support(), () -> {",
                    "context.timers().set(context.now(), () -> {"),
            // lease and support
            mutant("support/SupportHeld", "long end = sentAt[(int) (heartbeat % SENT_MAX)] + context.settings().lease().belief();",
                    "long end = context.now() + context.settings().lease().belief();"),
            mutant("support/SupportGiven", "peer.until = context.now() + context.settings().lease().support();",
                    "peer.until = context.now() + context.settings().lease().support() / 2;"),
            mutant("support/SupportGiven", "if (!isAlive || gaveBack) {", "if (peer.epoch == null) {"),
            mutant("step/Tenure", "if (clock.nanoTime() - until < 0) {",
                    "if (clock.nanoTime() - until < 400_000_000) {"),
            // votes
            mutant("settings/NodeSettings", "return 2 * count > voters.size();", "return 2 * count >= voters.size();"),
            mutant("vote/Ballot", "return isLive(supporters) && !holder.equals(contender);", "return false;"),
            mutant("vote/Ballot", "if (!contender.equals(holder) || term > released) {",
                    "if (!contender.equals(holder)) {"),
            mutant("path/ReturnedVotes", "if (candidate.isEmpty() || candidate.get().releaseUnlessNeeded(term)) {",
                    "if (true) {"),
            mutant("vote/Candidate", "if (covers(n) || n > term && !isIdle()) {", "if (n > term && !isIdle()) {"),
            // terms
            mutant("Voter", "this.directory = new ContenderDirectory<>(context, support, termCeiling, this::newPage);",
                    "this.directory = new ContenderDirectory<>(context, support, 0, this::newPage);"),
            mutant("vote/Ballot", "if (claimed > ceiling) {", "if (claimed > ceiling + 100_000) {"),
            mutant("directory/ContenderDirectory", "floor = Math.max(floor, page.term());",
                    "floor = Math.max(floor, 0);"),
            // progress
            mutant("support/SupportHeld", "return Optional.ofNullable(dead[voter]).filter(d -> !believes(voter));",
                    "return Optional.empty();"),
            mutant("path/PathTable", "if (contender.state().isRegistered()) {",
                    "if (false) {"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
