package io.quorate;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Races put into latch and selector, and the test that runs into them: by chance, though hardly ever not. */
@Tag("races")
class RaceMutantsTest {

    private static final String LATCH = "latchesEndClosedWhateverIsDoneWithThem";
    private static final String SELECTOR = "selectorsEndClosedWhateverIsDoneWithThem";
    private static final String LOCK = "        lock.lock();\n        try {\n";
    // Without a lock, the window between looking and acting is widened: it would be hit too, but not in every run.
    private static final String NO_LOCK = "        ReentrantLock lock = new ReentrantLock();\n" + LOCK;
    private static final String PAUSE = "for (int pause = 0; pause < 20; pause++) {\n"
            + "                Thread.yield();\n            }\n";

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/" + file + ".java", original, mutated, "io.quorate.FacadeRaceTest#" + killer);
    }

    /** A method that looks and then acts, without the lock. */
    private static Mutant unlocked(String begin, String look, String act) {
        return mutant("LatchContender", begin + LOCK + look + act, begin + NO_LOCK + look + PAUSE + act, LATCH);
    }

    private static final List<Mutant> MUTANTS = List.of(
            unlocked("", "            if (life != Life.LATENT) {\n"
                    + "                throw new IllegalStateException(\"Cannot be started more than once\");\n"
                    + "            }\n", "            life = Life.STARTED;\n"),
            unlocked("", "            if (isClosedByClient) {\n                isClosedByClient = false;\n"
                    + "                return Optional.empty();\n            }\n"
                    + "            if (life != Life.STARTED) {\n"
                    + "                throw new IllegalStateException(\"Already closed or has not been started\");\n"
                    + "            }\n", "            return Optional.of(shut(tells));\n"),
            mutant("LatchContender", "            if (life != Life.STARTED) {\n                // Closed",
                    "            if (life == Life.LATENT) {\n                // Closed", LATCH),
            mutant("ElectionClient", "if (user.isClosed()) {", "if (false) {",
                    "closeThatRacesStartLeavesNoContenderInTheClient"),
            mutant("LeaderSelector", "            // Under the lock, so that a close() finds both of them.\n"
                            + "            client.getConnectionStateListenable().addListener(cancelling);\n"
                            + "            queue();\n        }\n",
                    "        }\n        " + PAUSE
                            + "        client.getConnectionStateListenable().addListener(cancelling);\n"
                            + "        requeue();\n", SELECTOR),
            mutant("LeaderSelector", "                contender.start(Optional.empty());\n"
                            + "                client.register(contender);\n"
                            + "                if (contender.awaitTenure(Long.MAX_VALUE) && isWanted()) {",
                    "                " + PAUSE + "                contender.start(Optional.empty());\n"
                            + "                client.register(contender);\n"
                            + "                if (contender.awaitTenure(Long.MAX_VALUE)) {", SELECTOR),
            mutant("LeaderSelector", "            current.cancel();\n        }\n    }\n\n"
                            + "    private void cancelAttempt",
                    "            " + PAUSE + "            cancelAttempt();\n        }\n    }\n\n"
                            + "    private void cancelAttempt",
                    "interruptingNeverCancelsAnAttemptThatWaits"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
