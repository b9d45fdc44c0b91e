package io.quorate;

import static io.quorate.testkit.CodeChange.in;

import io.quorate.client.LatchContender;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Races put into latch and selector, and the test that runs into them: by chance, though hardly ever not. */
class RaceMutantsTest {

    private static final String LATCH = "latchesEndClosedWhateverIsDoneWithThem";
    private static final String SELECTOR = "selectorsEndClosedWhateverIsDoneWithThem";
    private static final String ATTEMPT = "io.quorate.LeaderSelector$Attempt";

    /** What the changes put in. */
    public static final class Faults {

        /** Longer than another thread takes for what must not come in between; short enough for thousands. */
        private static final long PAUSE_NANOS = 300_000;

        private static final ThreadLocal<ReentrantLock> OWN = ThreadLocal.withInitial(ReentrantLock::new);

        private Faults() {}

        /** A lock that keeps nobody else out. */
        public static ReentrantLock lockOfThisThread() {
            return OWN.get();
        }

        /** Widens the window between looking and acting: it would be hit too, but not in every run. */
        public static Object pause(Object seen) {
            long end = System.nanoTime() + PAUSE_NANOS;
            // Justification: a lower bound. A longer pause widens the window more.
            while (System.nanoTime() - end < 0) {
                // Not parked: an interrupt would end that.
                Thread.yield();
            }
            return seen;
        }

        public static Object started() {
            return LatchContender.Life.STARTED;
        }

        /** The attempt that leads may have ended, and the next one may queue. */
        static void cancelWhateverAttemptThereIs(LeaderSelector selector) {
            if (selector.hasLeadership()) {
                pause(selector);
                selector.cancelAttempt();
            }
        }
    }

    private static Mutant mutant(String fault, String killer, CodeChange... changes) {
        return Mutants.mutant(fault, "io.quorate.FacadeRaceTest#" + killer, changes);
    }

    /** A method that looks and then acts, without the lock. */
    private static Mutant unlocked(String method) {
        return mutant(
                method + " has no lock",
                LATCH,
                in(LatchContender.class, method).read("lock").runs(Faults.class, "lockOfThisThread"),
                in(LatchContender.class, method).read("life").passes(Faults.class, "pause"));
    }

    private static final List<Mutant> MUTANTS = List.of(
            unlocked("start"),
            unlocked("close"),
            mutant(
                    "a closed latch is granted leadership",
                    LATCH,
                    in(LatchContender.class, "granted").read("life").runs(Faults.class, "started")),
            mutant(
                    "a latch that was closed before is registered",
                    "closeThatRacesStartLeavesNoContenderInTheClient",
                    in(ElectionClient.class, "register").read("users").passes(Faults.class, "pause"),
                    in(ElectionClient.class, "register").call("isClosed").answers(false)),
            mutant(
                    "a selector is started without its lock",
                    SELECTOR,
                    in(LeaderSelector.class, "start").takesNoMonitor(),
                    in(LeaderSelector.class, "start")
                            .call("getConnectionStateListenable")
                            .passes(Faults.class, "pause")),
            mutant(
                    "an attempt that was cancelled before it queued leads",
                    SELECTOR,
                    in(ATTEMPT, "run").call("Optional.empty").passes(Faults.class, "pause"),
                    in(ATTEMPT, "run").call("isWanted").answers(true)),
            mutant(
                    "an interrupt may strike the next attempt",
                    "interruptingNeverCancelsAnAttemptThatWaits",
                    in(LeaderSelector.class, "interruptLeadership")
                            .runs(Faults.class, "cancelWhateverAttemptThereIs")));

    @Test
    void everyMutantCanBeMade() {
        Mutants.assertCanBeMade(MUTANTS);
    }

    @TestFactory
    @Tag("races")
    Stream<DynamicTest> everyMutantIsKilled() {
        return Mutants.tests(MUTANTS);
    }
}
