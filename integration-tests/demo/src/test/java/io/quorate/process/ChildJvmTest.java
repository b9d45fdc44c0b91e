package io.quorate.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.testkit.RealTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is done to a process reaches it. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ChildJvmTest {

    private static final Duration DEADLINE = Duration.ofMinutes(10);
    /** Far longer than an answer takes. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private static final int ANSWERS_MAX = 3;
    private static final int KILLED = 128 + 9;
    private static final int TERMINATED = 128 + 15;

    private static final ChildJvm.Command ECHO = new ChildJvm.Command(
            Echo.class, List.of("sorely missed"), ChildJvm.SMALL, List.of(), Map.of("WORD", "heard"));

    /** Says each line that it is told, behind a word of its environment. Ends with 7 after {@code exit} or its input. */
    public static final class Echo {

        private Echo() {}

        /** The argument is what it complains of. */
        public static void main(String[] arguments) {
            System.err.println(arguments[0]);
            try (Scanner input = new Scanner(System.in, StandardCharsets.UTF_8)) {
                for (String line = ""; !line.equals("exit") && input.hasNextLine(); ) {
                    line = input.nextLine();
                    System.out.println(System.getenv("WORD") + " " + line);
                }
            }
            System.exit(7);
        }
    }

    @TempDir
    private Path directory;

    private ChildJvm jvm;

    private void start() {
        jvm = ChildJvm.start("echo", ECHO, directory.resolve("log"));
        assertThat(jvm.ask("heard a")).isEqualTo("heard a");
    }

    @AfterEach
    void end() {
        jvm.end();
        assertThat(jvm.isAlive()).isFalse();
    }

    @Test
    void itEndsWithItsInput() throws InterruptedException {
        start();
        jvm.endInput();
        assertThat(jvm.awaitExit()).isEqualTo(7);
        assertThat(jvm.describe(List.of("last words")))
                .contains(
                        "echo (pid " + jvm.pid() + ") ended with exit code 7",
                        "said: last words",
                        "log:  sorely missed");
        assertThatIllegalStateException().isThrownBy(() -> jvm.send("b")).withMessageContaining("cannot send b: echo");
    }

    @Test
    void itsLinesAndErrorsAreKept() throws InterruptedException {
        start();
        jvm.send("b");
        jvm.endInput();
        jvm.awaitExit();
        assertThat(jvm.said("heard ")).containsExactly("heard a", "b");
        assertThat(jvm.output()).containsExactly("heard heard a", "heard b", "sorely missed");
    }

    @Test
    void itAnswersThoughEarlierLinesAreForgotten() {
        jvm = ChildJvm.start("echo", ECHO, directory.resolve("log"), line -> {});
        IntStream.range(0, 1_100).forEach(i -> jvm.send("line " + i));
        Awaitility.await().atMost(DEADLINE).until(() -> jvm.said().contains("heard line 1099"));
        assertThat(jvm.ask("heard last")).isEqualTo("heard last");
        assertThat(jvm.said()).hasSize(1_000);
    }

    @Test
    void endInsteadOfAnAnswerIsDescribed() {
        start();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> jvm.ask("exit"))
                .withMessageContaining("no answer to exit: echo");
    }

    @Test
    void itIsKilledAndTerminated() throws InterruptedException {
        start();
        jvm.kill();
        assertThat(jvm.awaitExit()).isEqualTo(KILLED);
        start();
        jvm.terminate();
        assertThat(jvm.awaitExit()).isEqualTo(TERMINATED);
    }

    // The signal may reach the threads of a process a little later: it may still answer once or twice.
    @Test
    @RealTime
    void whileItIsPausedItSaysNothing() throws InterruptedException {
        start();
        jvm.pause();
        int told = 0;
        do {
            jvm.send("line " + ++told);
            TimeUnit.NANOSECONDS.sleep(SILENCE.toNanos());
        } while (jvm.said().contains("heard line " + told) && told < ANSWERS_MAX);
        String last = "heard line " + told;
        assertThat(jvm.said()).doesNotContain(last);
        assertThat(jvm.isAlive()).isTrue();
        jvm.resume();
        Awaitility.await().atMost(DEADLINE).until(() -> jvm.said().contains(last));
    }

    @Test
    void itCanBeEndedWhileItIsPaused() {
        start();
        jvm.pause();
        jvm.end();
        assertThat(jvm.isAlive()).isFalse();
    }
}
