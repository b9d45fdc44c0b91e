package io.quorate.testkit;

import static io.quorate.testkit.CodeChange.in;
import static io.quorate.testkit.Mutants.mutant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Mutants.Mutant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mutant that proves nothing fails the build. */
class MutantsTest {

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
            // Justification: it was counted down before, except in the mutant.
            assertThat(latch.await(1, TimeUnit.MILLISECONDS)).isTrue();
        }

        @Test
        void alwaysFails() {
            // Only below Mutants: the class is package-private and nested, and Surefire leaves it out.
            assumeTrue(true);
            throw new AssertionError("always");
        }

        @Test
        void oneIsEnough() {
            assertThat(first() || second()).isTrue();
        }

        static boolean first() {
            return true;
        }

        static boolean second() {
            return true;
        }

        void isNoTest() {
            throw new AssertionError("never run");
        }
    }

    private static final CodeChange CHECKS_NOTHING = in(Check.class, "state").doesNothing();
    /** Which nothing here can notice. */
    private static final CodeChange ELSEWHERE = in(NodeId.class, "toString").returns("nobody");

    private static String killer(String method) {
        return Killers.class.getName() + "#" + method;
    }

    private static Mutant broken(String killer) {
        return mutant("nothing is checked", killer(killer), CHECKS_NOTHING);
    }

    private static void assertRejected(Mutant mutant, String reason) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilled(mutant))
                .withMessageContaining(reason);
    }

    @Test
    void mutantIsKilled() {
        Mutants.assertKilled(broken("falseConditionThrows"));
        Mutants.assertKilled(broken("takesParameters"));
        Mutants.assertKilled(broken("waitsForEverIfMutated"));
        Mutants.assertPassesUnmutated(killer("takesParameters"));
    }

    @Test
    void severalChangesMakeAMutant() {
        Mutants.assertKilled(mutant("two classes", killer("falseConditionThrows"), ELSEWHERE, CHECKS_NOTHING));
        Mutants.assertKilled(mutant(
                "one class",
                killer("falseConditionThrows"),
                CHECKS_NOTHING,
                in(Check.class, "argument").doesNothing()));
    }

    @Test
    void ofTwoDefencesNeitherMayBeEnough() {
        Mutants.assertKilledOnlyTogether(
                mutant(
                        "the first is gone",
                        killer("oneIsEnough"),
                        in(Killers.class, "first").returns(false)),
                mutant(
                        "the second is gone",
                        killer("oneIsEnough"),
                        in(Killers.class, "second").returns(false)));
        Mutant elsewhere = mutant("nothing of interest", killer("falseConditionThrows"), ELSEWHERE);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilledOnlyTogether(elsewhere, broken("falseConditionThrows")))
                .withMessageContaining("is found alone");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilledOnlyTogether(broken("falseConditionThrows"), elsewhere))
                .withMessageContaining("is found alone");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertKilledOnlyTogether(broken("trueConditionDoesNotThrow"), elsewhere))
                .withMessageContaining("survives");
    }

    @Test
    void impossibleMutantIsNamed() {
        Mutants.assertCanBeMade(List.of(broken("falseConditionThrows"), broken("takesParameters")));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertCanBeMade(List.of(
                        broken("falseConditionThrows"),
                        mutant(
                                "one",
                                killer("falseConditionThrows"),
                                in(Check.class, "states").doesNothing()),
                        broken("isNotThere"),
                        mutant("three", "no.Such", CHECKS_NOTHING))))
                .withMessageContainingAll("one: Check.states", "isNotThere: is no test", "three: no.Such")
                .withMessageNotContaining("falseConditionThrows");
    }

    @Test
    void changeThatIsNotThereIsRejected() {
        assertRejected(
                mutant(
                        "no fault",
                        killer("falseConditionThrows"),
                        in(Check.class, "state").call("noSuch").isLeftOut()),
                "is not there");
    }

    // Else each test would find it.
    @Test
    void changeThatTheMachineRefusesIsRejected() {
        assertRejected(
                mutant(
                        "no fault",
                        killer("falseConditionThrows"),
                        in(Check.class, "state").call("format").runs(CodeChangeTest.Inserts.class, "ofStrangeTypes")),
                "is refused by the machine");
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
                .isThrownBy(() -> Mutants.assertKilled(mutant("nothing is checked", "no.Such", CHECKS_NOTHING)))
                .withMessageContaining("no such test class");
    }

    @Test
    void killerThatFailsByItselfIsRejected() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertPassesUnmutated(killer("alwaysFails")))
                .withMessageContaining("does not pass");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Mutants.assertPassesUnmutated(killer("isNoTest")));
    }

    // The classes of this project are loaded anew for each run, the rest is shared: the test framework must be.
    @Test
    void unchangedClassesAreUntouched() {
        Mutants.assertKilled(broken("falseConditionThrows"));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Check.state(false, "no"));
        assertThat(new NodeId("n").value()).isEqualTo("n");
    }
}
