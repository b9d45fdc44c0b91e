package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/lab.md#algorithms-of-others: one that throws, that cannot be read, or that has the name of another one. */
class LabOthersTest {

    @TempDir
    private Path directory;

    /** The example of the kit with something else in one place. */
    private Path algorithm(String place, String other) throws IOException {
        return OtherAlgorithm.compiled(directory, place, other);
    }

    private Path page() {
        return directory.resolve("page.html");
    }

    private Run lab(Path classPath, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 4);
        System.arraycopy(
                new String[] {"--html", page().toString(), "--classpath", classPath.toString()},
                0,
                all,
                arguments.length,
                4);
        return Run.of(all);
    }

    // A machine may throw errors, too; what happened before is drawn.
    @ParameterizedTest
    @CsvSource({"documented", "hardened", "lease"})
    void aMachineThatThrowsIsNamedWithItsEvent(String way) throws IOException {
        Path classes = algorithm("set(received.from(), 0);", "throw new AssertionError(\"not today\");");
        Run run = lab(classes, "roll-call", "leader dies", "--way", way);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("quorate lab: roll-call, ", ": n1 ", "algorithm roll-call failed at Received[from=")
                .contains("AssertionError: not today")
                .doesNotContain("\tat ");
        assertThat(run.out()).contains("The picture: " + page()).contains("algorithm roll-call failed at Received[");
        assertThat(Files.readString(page())).contains("algorithm roll-call failed at Received[");
    }

    @ParameterizedTest
    @CsvSource({
        "public String toString() { throw new AssertionError(); }",
        "public boolean equals(Object other) { throw new AssertionError(); }"
    })
    void aMessageThatCannotBeLookedAtEndsNoRunInAStackTrace(String method) throws IOException {
        Path classes = algorithm(
                "public record Here() implements Message {",
                "public record Here() implements Message { " + "@Override " + method);
        Run run = lab(classes, "roll-call", "leader dies");
        assertThat(run.err()).doesNotContain("\tat ");
        assertThat(run.exitCode()).as(run.err()).isIn(0, 1);
        assertThat(page()).exists();
        Run broken = lab(classes, "--break", "roll-call:OneLeader");
        assertThat(broken.err()).isEmpty();
        assertThat(broken.exitCode()).isZero();
    }

    @Test
    void aLongStateIsCutInAPage() throws IOException {
        String state = "boolean hasCounted) implements Election.State {";
        Path classes = algorithm(
                state, state + " @Override public String toString() { return \"x\".repeat(6_000_000) + missed; }");
        Run run = lab(classes, "roll-call", "--explore", "--nodes", "2", "--faults", "loss");
        assertThat(run.err()).isEmpty();
        assertThat(Files.size(page())).isBetween(10_000L, 1_000_000L);
    }

    @Test
    void aMachineThatCannotBeMadeIsNamed() throws IOException {
        Path classes = algorithm(
                "return new Machine(membership, timing);", "throw new IllegalArgumentException(\"no machine\");");
        Run run = lab(classes, "roll-call", "leader dies", "--way", "hardened");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("algorithm roll-call failed at Start[")
                .contains("IllegalArgumentException: no machine");
        Run broken = lab(classes, "--break", "roll-call:OneLeader");
        assertThat(broken.exitCode()).isEqualTo(1);
        assertThat(broken.err())
                .startsWith("quorate lab: algorithm roll-call failed at the making of P0: ")
                .doesNotContain("\tat ");
    }

    @Test
    void aMachineThatThrowsInASearchIsNamed() throws IOException {
        Path classes = algorithm("set(received.from(), 0);", "throw new NoClassDefFoundError(\"a/missing/Type\");");
        Run run = lab(classes, "--break", "roll-call:OneLeader");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("quorate lab: algorithm roll-call failed at Received[from=")
                .contains("NoClassDefFoundError: a/missing/Type")
                .doesNotContain("the lab runs from the jar");
    }

    @Test
    void aBrokenOneDoesNotKeepOthersFromASearch() throws IOException {
        Path classes = algorithm(
                "return new Machine(membership, timing);", "throw new IllegalArgumentException(\"no machine\");");
        assertThat(lab(classes, "--break", "HardenedLcrElection:TypeOK", "--nodes", "2")
                        .out())
                .startsWith("lcr, hardened: TypeOK holds");
        assertThat(lab(classes, "--break", "lc:TypeOK").err())
                .contains("must be one of ballot, bully, lcr, roll-call, ");
    }

    @Test
    void aMessageToNobodyIsNamedWithItsEvent() throws IOException {
        Path classes = algorithm("set(received.from(), 0);", "return List.of(new Effect.Send(7, new Here()));");
        Run run = lab(classes, "--break", "roll-call:OneLeader");
        assertThat(run.err())
                .startsWith("quorate lab: algorithm roll-call failed at Received[from=")
                .contains("Send[to=7, message=Here[]]: must go to a process from 0 to 2")
                .doesNotContain("\tat ");
    }

    @Test
    void twoOfOneNameAreNamed() throws IOException {
        Path classes = algorithm("return \"roll-call\";", "return \"bully\";");
        Run run = lab(classes, "bully");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err())
                .contains("--classpath '" + classes + "': algorithm 'bully': is the name of 2 providers")
                .contains("bully (com.example.election.Altered)", "bully (io.quorate.bully.BullyAlgorithm)");
    }

    @Test
    void aJarThatCannotBeReadIsNamed() throws IOException {
        Path jar = Files.writeString(directory.resolve("broken.jar"), "no jar at all");
        Run run = lab(jar, "bully");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains("--classpath '" + jar + "': must be a jar or a directory, and cannot be read: ");
        Path both = Path.of(algorithm("1", "1") + File.pathSeparator + jar);
        assertThat(lab(both, "bully").err()).contains("--classpath '" + jar + "': must be a jar");
    }
}
