package io.quorate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.process.ChildJvm;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Effort;
import io.quorate.testkit.RealTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DemoTest {

    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private final StringWriter said = new StringWriter();

    @TempDir
    private Path directory;

    private int run(String... arguments) {
        return new CommandLine(new Demo())
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(said))
                .execute(arguments);
    }

    static Stream<String> transports() {
        return Effort.isWhole() ? Stream.of("vertx", "tcp") : Stream.of("vertx");
    }

    @ParameterizedTest
    @MethodSource("transports")
    void theDemoSucceedsAndWritesAPageThatStandsAlone(String transport) throws IOException {
        Path page = directory.resolve("new/demo.html");
        int exitCode = run("--transport=" + transport, "--html=" + page);

        assertThat(exitCode).as(said::toString).isZero();
        assertThat(said.toString()).contains("Two leaders at one instant: never", page.toString());
        assertThat(Files.readString(page))
                .contains("<svg", "SIGKILL to the leader", "</html>")
                .doesNotContain("://", "src=", "<link", "@import", "@rows@", "@timeline@");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nodes=2", "--nodes=x", "--algorithm=none", "--transport=none", "--colour=blue"})
    void wrongArgumentsAreRefused(String argument) {
        assertThat(run(argument)).isEqualTo(2);
        assertThat(said.toString()).contains(argument.substring(argument.indexOf('=') + 1));
    }

    // SIGTERM takes the way of Ctrl-C. SIGKILL leaves no JVM to clean up, in the worst case while a node is stopped.
    @RealTime
    @ParameterizedTest
    @CsvSource({"START, false", "STOP, true"})
    void aDemoThatIsEndedLeavesNoProcessAndNoFileBehind(String when, boolean forcibly, @TempDir Path page) {
        ChildJvm demo = ChildJvm.start(
                "demo",
                ChildJvm.Command.of(
                        Demo.class,
                        List.of("--html=" + page.resolve("x.html")),
                        List.of("-Djava.io.tmpdir=" + directory)),
                page.resolve("log"));
        try {
            BooleanSupplier isSaid = () -> demo.said().stream().anyMatch(line -> line.contains(" s  " + when));
            Deadline.await(() -> isSaid.getAsBoolean() || !demo.isAlive(), demo::describe);
            assertThat(isSaid.getAsBoolean()).as(demo::describe).isTrue();
            Awaitility.await().atMost(DEADLINE).until(() -> demo.descendants().size() >= 3);
            List<ProcessHandle> descendants = demo.descendants();
            if (forcibly) {
                Awaitility.await().atMost(DEADLINE).until(() -> descendants.stream()
                        .anyMatch(process -> state(process) == 'T'));
                demo.kill();
            } else {
                demo.terminate();
            }
            Awaitility.await().atMost(DEADLINE).until(() -> descendants.stream()
                    .allMatch(process -> state(process) == 'Z'));
            assertThat(directory.toFile().list()).as(demo::describe).isEmpty();
        } finally {
            demo.descendants().forEach(ProcessHandle::destroyForcibly);
            demo.end();
        }
    }

    /** The letter of proc(5): T is stopped, Z ended but not yet noticed by the process that adopted it. */
    private static char state(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            // Justification: a process that has ended has no such file.
            return 'Z';
        }
    }
}
