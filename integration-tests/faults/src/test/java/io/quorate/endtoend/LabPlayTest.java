package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quorate.cli.Quorate;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RepeatedWhenStalled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/lab.md#on-real-jvms: a scenario on three JVMs, and what stays behind. */
class LabPlayTest {

    private static final String NAME = "ballot, three JVMs: mine";

    /** Longer than usual: a machine with many tests pauses. */
    private static final String LEASE = "voters 3\nheartbeat 500\nsupport 2500\n";

    private static final Pattern LEADS = Pattern.compile("(n\\d) +LEADS with token (\\d+)");

    private static ChildJvm start(Path directory, String scenario) throws IOException {
        Path file = Files.writeString(directory.resolve("mine.scenario"), scenario);
        return ChildJvm.start(
                "quorate lab",
                ChildJvm.Command.of(
                        Quorate.class,
                        List.of(
                                "lab",
                                "ballot",
                                "--scenario",
                                file.toString(),
                                "--way",
                                "hardened",
                                "--play",
                                "--html",
                                directory.resolve("page.html").toString()),
                        List.of("-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("temporary")))),
                directory.resolve("err"));
    }

    private static String said(ChildJvm command) {
        return String.join("\n", command.output());
    }

    /** Three nodes, and more where one is stopped. */
    private static List<ProcessHandle> awaitProcesses(ChildJvm command, int count) {
        await().atMost(Duration.ofMinutes(10)).until(() -> command.descendants().size() >= count || !command.isAlive());
        return command.descendants();
    }

    private static void assertGone(List<ProcessHandle> processes) {
        await().atMost(Duration.ofMinutes(10)).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static List<Path> leftBehind(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("temporary"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("quorate-lab"))
                    .toList();
        }
    }

    @RealTime
    @Test
    void leadersFollowEachOtherOnRealNodes(@TempDir Path directory) throws Exception {
        ChildJvm command = start(
                directory,
                LEASE
                        + "at 6000 until 12000 crash leader\nat 20000 until 26000 pause leader\nat 1 until 2 loss *-* 5\n");
        try {
            List<ProcessHandle> processes = awaitProcesses(command, 3);
            assertThat(processes).as(said(command)).hasSizeGreaterThanOrEqualTo(3);
            assertThat(command.awaitExit()).as(said(command)).isZero();
            assertGone(processes);
        } finally {
            command.end();
        }
        String said = said(command);
        assertThat(said).contains("cannot be played here: at 1 until 2 loss *-* 5", "ballot, hardened: mine");
        String played = said.substring(said.indexOf(NAME));
        assertThat(played)
                .contains("Two leaders at one time were never seen.", "Not played: at 1 until 2 loss")
                .doesNotContain("TOGETHER")
                .containsSubsequence("LEADS with token", "is gone", "LEADS with token", "is stopped", "goes on");
        List<MatchResult> leads = LEADS.matcher(played).results().toList();
        assertThat(leads.stream().map(lead -> lead.group(1)).distinct())
                .as(played)
                .hasSizeGreaterThanOrEqualTo(2);
        List<Long> tokens = leads.stream()
                .map(lead -> Long.parseLong(lead.group(2)))
                .distinct()
                .toList();
        assertThat(tokens).as(played).isSorted().hasSizeGreaterThanOrEqualTo(2);
        String page = Files.readString(directory.resolve("page.html"));
        assertThat(page.substring(page.indexOf("<section data-way=\"three JVMs\">")))
                .contains("class=\"lead ", "class=\"belief ", ">✕<", ">❚❚<")
                .doesNotContain("class=\"conflict\"");
        assertThat(leftBehind(directory)).isEmpty();
    }

    // As in virtual time. It had a latch of its own, and the first one contended for ever. The pause waits for a leader
    // on any machine, and so does what follows.
    @RealTime
    @Test
    void whoComesWhileItsNodeContendsChangesNothing(@TempDir Path directory) throws Exception {
        ChildJvm command = start(
                directory,
                LEASE.replace("voters 3", "voters 1")
                        + "at 0 until 6000 contend n1/a\nat 1000 until 1100 pause leader\n"
                        + "at 6000 until 7000 contend n1/a\n");
        try {
            command.awaitExit();
        } finally {
            command.end();
        }
        String said = said(command);
        assertThat(said.substring(said.indexOf("ballot, one JVM: mine")))
                .containsSubsequence("LEADS with token", "no longer leads", "takes nobody for the leader")
                .contains("nobody leads.");
    }

    // A stopped process notices the end of its input only when it goes on.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    void nobodyOutlivesTheCommand(boolean isKilled, @TempDir Path directory) throws Exception {
        ChildJvm command = start(directory, LEASE + "at 1000 until 50000 pause leader\n");
        try {
            List<ProcessHandle> processes = awaitProcesses(command, 4);
            assertThat(processes).as(said(command)).hasSizeGreaterThanOrEqualTo(4);
            if (isKilled) {
                command.kill();
            } else {
                command.terminate();
            }
            command.awaitExit();
            assertGone(processes);
            if (!isKilled) {
                assertThat(leftBehind(directory)).isEmpty();
            }
        } finally {
            command.end();
        }
    }
}
