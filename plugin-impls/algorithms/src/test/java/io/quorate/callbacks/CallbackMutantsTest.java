package io.quorate.callbacks;

import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** What makes a blocked callback harmless, and a stale token refused, broken in one line. */
@Tag("mutants")
class CallbackMutantsTest {

    private static Mutant mutant(String file, String original, String mutated, String killer) {
        return new Mutant("io/quorate/" + file + ".java", original, mutated, "io.quorate.callbacks." + killer);
    }

    private static final List<Mutant> MUTANTS = List.of(
            // Under the latch's lock, on the thread that grants: as in Curator.
            mutant("ListenerSet", "dispatcher.execute(() -> registration.offer(new Call<>(notice, returned)));",
                    "registration.offer(new Call<>(notice, returned));",
                    "BlockedCallbacksTest#aListener"),
            mutant("core/Tenure", "if (clock.nanoTime() - until < 0) {", "if (clock.nanoTime() != until) {",
                    "FencingTest#aLeaderThatSleptBeforeItsWriteIsRefused"),
            mutant("Reign", "fenced.isLeader(tenure.token());", "fenced.isLeader(Long.MAX_VALUE);",
                    "FencingTest#theTokenOfTheListenerIsThatOfItsOwnLeadership"),
            mutant("LatchContender", "            lastToken = tenure.token();",
                    "            lastToken = (int) tenure.token();",
                    "FencingTest#tokensAreLongs"));

    @TestFactory
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
