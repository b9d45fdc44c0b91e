package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Mutants.Mutant;
import io.quorate.testkit.model.Keyed;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mutant that proves nothing fails the build. */
class MutantsTest {

    private static final String CHECK = "io/quorate/spi/Check.java";
    private static final String STATE = "public static void state(boolean condition, String message,"
            + " Object... arguments) {\n        if (!condition) {";

    /** The tests that the mutants below are run with; they are no tests of their own. */
    static class Killers {

        @Test
        void falseConditionThrows() {
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Check.state(false, "no"));
        }

        @Test
        void trueConditionDoesNotThrow() {
            assertThatCode(() -> Check.state(true, "yes")).doesNotThrowAnyException();
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", "b"})
        void takesParameters(String name) {
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Check.state(false, name));
        }

        @Test
        void waitsForEverIfMutated() throws InterruptedException {
            CountDownLatch latch = new CountDownLatch(1);
            try {
                Check.state(false, "no");
            } catch (IllegalStateException e) {
                latch.countDown();
            }
            assertThat(latch.await(1, TimeUnit.MILLISECONDS)).isTrue();
        }

        @Test
        void alwaysFails() {
            // Only below Mutants: the class is package-private and nested, and Surefire leaves it out.
            assumeTrue(true);
            throw new AssertionError("always");
        }

        void isNoTest() {
            throw new AssertionError("never run");
        }
    }

    private static Mutant mutant(String original, String mutated, String killer) {
        return new Mutant(CHECK, original, mutated, Killers.class.getName() + "#" + killer);
    }

    private static Mutant broken(String killer) {
        return mutant(STATE, STATE.replace("!condition", "false"), killer);
    }

    private static void assertRejected(Mutant mutant, String reason) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> Mutants.assertKilled(mutant))
                .withMessageContaining(reason);
    }

    @Test
    void mutantIsKilled() {
        Mutants.assertKilled(broken("falseConditionThrows"));
        Mutants.assertKilled(broken("takesParameters"));
        Mutants.assertKilled(broken("waitsForEverIfMutated"));
        Mutants.assertPassesUnmutated(Killers.class.getName() + "#takesParameters");
    }

    // The other one: what a test of the simulator is, which only src/test/java has.
    @Test
    void ofTwoDefencesNeitherMayBeEnough() {
        Mutant other = new Mutant("io/quorate/testkit/model/Keyed.java", "percent > 0 &&", "percent > 1 &&",
                Killers.class.getName() + "#falseConditionThrows");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilledTogether(broken("falseConditionThrows"), other))
                .withMessageContaining("is found alone");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilledTogether(other, broken("falseConditionThrows")))
                .withMessageContaining("is found alone");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilledTogether(broken("trueConditionDoesNotThrow"), other))
                .withMessageContaining("survives");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Mutants.assertKilledTogether(other, other)).withMessageContaining("two files");
    }

    @Test
    void textThatIsNotThereIsRejected() {
        assertRejected(mutant("not in the file", "x", "falseConditionThrows"), "exactly once");
    }

    @Test
    void textThatIsThereTwiceIsRejected() {
        assertRejected(mutant("if (!condition) {", "if (false) {", "falseConditionThrows"), "exactly once");
    }

    @Test
    void changeThatCompilesToTheSameBytesIsRejected() {
        assertRejected(mutant(STATE, STATE + "\n// more", "falseConditionThrows"), "same bytes");
        assertRejected(mutant(STATE, STATE.replace("(!condition)", "(!(condition))"), "falseConditionThrows"),
                "same bytes");
    }

    @Test
    void changeThatDoesNotCompileIsRejected() {
        assertRejected(mutant(STATE, STATE.replace("!condition", "condition > 1"), "falseConditionThrows"),
                "does not compile");
    }

    @Test
    void mutantThatSurvivesIsRejected() {
        assertRejected(broken("trueConditionDoesNotThrow"), "survives");
    }

    @Test
    void killerThatIsNoTestIsRejected() {
        assertRejected(broken("isNoTest"), "is no test");
        assertRejected(broken("isNotThere"), "is no test");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilled(new Mutant(CHECK, STATE, STATE.replace("!", ""), "no.Such")))
                .withMessageContaining("no such test class");
    }

    @Test
    void killerThatFailsByItselfIsRejected() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertPassesUnmutated(Killers.class.getName() + "#alwaysFails"))
                .withMessageContaining("does not pass");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertPassesUnmutated(Killers.class.getName() + "#isNoTest"));
    }

    // The classes of this project are loaded anew for each run, the rest is shared: the test framework must be.
    @Test
    void unchangedClassesAreUntouched() {
        Mutants.assertKilled(broken("falseConditionThrows"));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Check.state(false, "no"));
        assertThat(new NodeId("n").value()).isEqualTo("n");
    }
}
