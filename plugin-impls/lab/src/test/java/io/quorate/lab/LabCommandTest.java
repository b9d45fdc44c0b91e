package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.PublishedScenario;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/lab.md: what the lab lists, draws and refuses. */
class LabCommandTest {

    @TempDir
    private Path directory;

    private Run lab(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[all.length - 2] = "--html";
        all[all.length - 1] = page().toString();
        return Run.of(all);
    }

    private Path page() {
        return directory.resolve("page.html");
    }

    private static void assertRefused(Run run, String... parts) {
        assertThat(run.err()).contains(parts);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(64);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("mine.scenario"), text);
    }

    @Test
    void itListsWhatThereIs() {
        Run run = Run.of("--list");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("Algorithms: ballot, bully, lcr, three-phase, token-ring\n");
        PublishedScenario.ofLab()
                .forEach(one ->
                        assertThat(run.out()).contains("  " + one.name() + " ").contains(one.description()));
    }

    // A line that does not run would be worse than none.
    @Test
    void tenLinesSayWhatThereIsAndRun() throws IOException {
        Run run = Run.of();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines()).hasSize(10);
        Path file = file("at 5000 until 6000 crash leader\n");
        List<String> commands = run.out()
                .lines()
                .filter(line -> line.startsWith("  quorate lab "))
                .map(line -> line.substring("  quorate lab ".length()).split(" {2,}")[0])
                .toList();
        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            String[] words = command.replace("FILE", file.toString())
                    .replace("\"leader cut off\"", "leader_cut_off")
                    .split(" ");
            Run shown = lab(Stream.of(words)
                    .map(word -> word.replace("leader_cut_off", "leader cut off"))
                    .toArray(String[]::new));
            assertThat(shown.exitCode()).as(command + shown.err()).isZero();
            assertThat(page()).as(command).exists();
            Files.delete(page());
        }
    }

    @Test
    void anAlgorithmAloneShowsADyingLeaderInAllWays() throws IOException {
        Run run = lab("bully");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("bully, documented: leader dies (5 nodes, seed 1)")
                .contains("bully, hardened: leader dies (5 nodes, seed 1)")
                .contains("bully, under the lease: leader dies (5 nodes, seed 1)")
                .contains("The picture: " + page());
        assertThat(Files.readString(page()))
                .contains("<button type=\"button\" data-way=\"documented\">")
                .contains("<section data-way=\"under the lease\">")
                .containsPattern("<title>[0-9.]+ ms: n2 → n1 ALIVE, arrives [0-9.]+")
                .containsPattern("<title>[0-9.]+ ms: n2: suspects n5\nleader=n5 phase=WAIT_ALIVE S=\\{n5}</title>")
                .containsPattern("<title>[0-9.]+ ms: n\\d: timer HB\nleader=");
    }

    @Test
    void sizeAndSeedAreThoseThatWereAskedFor() throws IOException {
        Run run = lab("lcr", "leader dies", "--nodes", "3", "--seed", "9", "--way", "hardened");
        assertThat(run.out())
                .startsWith("lcr, hardened: leader dies (3 nodes, seed 9)\n")
                .doesNotContain("n4");
        Path file = file("seed 2\nvoters 4\nat 5000 until 6000 crash leader\n");
        assertThat(lab("lcr", "--scenario", file.toString(), "--way", "lease").out())
                .startsWith("lcr, under the lease: mine (4 nodes, seed 2)\n");
        assertThat(lab("lcr", "--scenario", file.toString(), "--way", "lease", "--nodes", "3")
                        .out())
                .startsWith("lcr, under the lease: mine (3 nodes, seed 2)\n");
    }

    @Test
    void nothingIsLeftOutOfTheWhole() {
        List<String> run = List.of("bully", "steady", "--way", "lease");
        assertThat(lab(run.toArray(new String[0])).out()).doesNotContain("HEARTBEAT");
        assertThat(lab("bully", "steady", "--way", "lease", "--all").out())
                .contains("HEARTBEAT", "REGISTRATIONS")
                .doesNotContain("without a change");
    }

    @Test
    void aWrongNameIsAnsweredWithTheNearest() {
        assertRefused(lab("buly"), "quorate lab: algorithm 'buly': must be one of ballot, bully, ", "mean 'bully'?");
        assertRefused(lab("bully", "leader dis"), "scenario 'leader dis': must be one of ", "mean 'leader dies'?");
        assertRefused(lab("bully", "crash", "--way", "lose"), "lose", "DOCUMENTED, HARDENED, LEASE");
        assertRefused(lab("bully", "crash", "--nodes", "10"), "--nodes 10: must be from 1 to 9");
        assertRefused(
                lab("bully", "partition 3 | 2", "--nodes", "3"),
                "scenario 'partition 3 | 2' with 3 nodes: 'n4': must be one of [n1, n2, n3, leader]");
        assertRefused(lab("bully", "crash", "--scenario", "x"), "scenario 'crash': must be a name or --scenario FILE");
    }

    @Test
    void aMistakeInAFileHasItsPlace() throws IOException {
        Path wrong = file("seed 2\nat 5000 until 6000 crsh leader\n");
        assertRefused(
                lab("bully", "--scenario", wrong.toString()),
                "--scenario '" + wrong + "': line 2, column 20: 'crsh': must be one of ",
                "did you mean 'crash'?");
        assertRefused(
                lab("bully", "--scenario", directory.resolve("none").toString()), "none': must be a file that exists");
    }

    // A scenario of a storm may have what only the lease knows: then it is shown under the lease alone.
    @Test
    void leaseOnlyFaultsAreShownUnderTheLease() throws IOException {
        Path file = file("at 0 until 999999 contend n1/a\nat 5000 until 5000 resign n1/a\n");
        assertThat(lab("bully", "--scenario", file.toString()).out())
                .startsWith("bully, under the lease: mine")
                .doesNotContain("documented");
        assertRefused(
                lab("bully", "--scenario", file.toString(), "--way", "hardened"),
                "resign: has no meaning without a lease");
    }

    @Test
    void aPageThatCannotBeWrittenIsNamed() {
        String nowhere = directory.resolve("no").resolve("where.html").toString();
        Run run = Run.of("bully", "steady", "--way", "hardened", "--html", nowhere);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("--html '" + nowhere + "': cannot be written: ");
    }

    // The program ends right after, and would lose the rest of its buffer.
    @Test
    void runIsPrintedEvenIfItsPageCannotBeWritten() {
        StringWriter printed = new StringWriter();
        int exitCode = Lab.commandLine()
                .setOut(new PrintWriter(new BufferedWriter(printed, 1_000_000)))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(
                        "bully",
                        "steady",
                        "--html",
                        directory.resolve("no/page.html").toString());
        assertThat(exitCode).isEqualTo(1);
        assertThat(printed.toString()).contains("Two leaders at one time were never seen.");
    }

    @Test
    void anAlgorithmOfSomebodyElseIsDrawnAsOursAre() throws IOException {
        // As it is, but for its name.
        Path classes = OtherAlgorithm.compiled(directory, "", "");
        Run run = lab("roll-call", "leader dies", "--way", "hardened", "--classpath", classes.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("roll-call, hardened: leader dies").contains("LEADS");
        assertRefused(lab("roll-call"), "algorithm 'roll-call': must be one of ballot");
        assertRefused(
                lab("bully", "--classpath", "nowhere.jar" + File.pathSeparator + classes),
                "--classpath 'nowhere.jar': must be a jar or a directory that exists");
    }

    @Test
    void theShortestRunThatBreaksARuleIsDrawn() throws IOException {
        Run run = lab("--break", "FaithfulBullyElection:HighestAliveProcessIsLeader");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("bully: documented breaks HighestAliveProcessIsLeader\n")
                .contains("The shortest run that breaks it has 6 steps, ")
                .contains("HighestAliveProcessIsLeader IS BROKEN")
                .contains("The picture: " + page());
        assertThat(Files.readString(page())).contains("P0", "HighestAliveProcessIsLeader IS BROKEN", "ALIVE");
        Run hardened = lab("--break", "bully:OneLeader", "--way", "hardened");
        assertThat(hardened.out())
                .startsWith("bully: hardened breaks OneLeader\n")
                .contains("has 1 step, 1 of them a fault: ", "TOGETHER LEAD P");
    }

    @Test
    void aRuleThatHoldsSaysHowFarItWasLookedAt() {
        Run run = lab("--break", "FaithfulBullyElection:TypeOK", "--nodes", "2");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .startsWith("bully, documented: TypeOK holds in all ")
                .contains(" of 2 processes", "a crash and a restart", "These are all there are.");
        assertThat(page()).doesNotExist();
    }

    @Test
    void aRuleThatThereIsNotIsRefused() {
        assertRefused(lab("--break", "bully"), "--break 'bully': must be ALGORITHM:RULE, such as bully:OneLeader");
        assertRefused(
                lab("--break", "FaithfulBulyElection:OneLeader"),
                "algorithm 'FaithfulBulyElection': must be one of ballot, bully, ",
                "did you mean 'FaithfulBullyElection'?");
        assertRefused(
                lab("--break", "bully:OneLeadr"), "rule 'OneLeadr': must be one of TypeOK, ", "mean 'OneLeader'?");
        assertRefused(lab("--break", "bully:BLE3"), "rule 'BLE3': must not be asked of bully, documented");
        assertRefused(lab("--break", "bully:OneLeader", "--nodes", "6"), "--nodes 6: must be from 1 to 5 with --break");
        assertRefused(
                lab("--break", "bully:OneLeader", "--way", "lease"), "--way lease: must be documented or hardened");
        assertRefused(
                lab("--break", "FaithfulBullyElection:OneLeader", "--way", "hardened"),
                "--way hardened: must be documented");
        assertRefused(lab("bully", "--break", "bully:OneLeader"), "--break: must stand without ALGORITHM; ");
    }

    @Test
    void optionsWithoutAnEffectAreRefused() {
        assertRefused(
                Run.of("--seed", "7", "--scenario", "x"), "without ALGORITHM: must stand without --scenario, --seed");
        assertRefused(lab("--list"), "without ALGORITHM: must stand without --html; it may have --classpath, --list");
        assertRefused(lab("bully", "--list"), "ALGORITHM: must stand without --list; it may have SCENARIO, --all, ");
        assertRefused(lab("bully", "--faults", "crash"), "ALGORITHM: must stand without --faults; ");
        assertRefused(lab("bully", "--explore", "--all"), "--explore: must stand without --all; ");
        assertRefused(
                lab("--break", "bully:OneLeader", "--faults", "crash", "--seed", "7"),
                "--break: must stand without --faults, --seed; it may have --classpath, ");
    }

    // --seed and --nodes stand for a line of the file, and leave all others where they are.
    @Test
    void optionsDoNotShiftLineNumbers() throws IOException {
        Path file = file("\n\n  seed 2\nat 5000 until 6000 crsh leader\n");
        assertRefused(lab("lcr", "--scenario", file.toString(), "--seed", "7"), "line 4, column 20: 'crsh'");
        file("seed\nat 5000 until 6000 crash leader\n");
        assertRefused(lab("lcr", "--scenario", file.toString(), "--seed", "7"), "line 1, column 5: 'seed' must be");
    }

    @Test
    void aFileOfAnotherEditorIsRead() throws IOException {
        Path file = file("\uFEFF# mine\r\nseed 2\r\nvoters 3\r\n");
        assertThat(lab("lcr", "--scenario", file.toString(), "--way", "hardened")
                        .out())
                .startsWith("lcr, hardened: mine (3 nodes, seed 2)\n");
    }

    @Test
    void invalidScenarioIsRejected() throws IOException {
        Path file = file("#".repeat(1_000_001));
        assertRefused(lab("lcr", "--scenario", file.toString()), "is longer than 1000000 bytes: must be another file");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertRefused(lab("lcr", "--scenario", file.toString()), "must be text in UTF-8");
        assertRefused(lab("lcr", "--scenario", directory.toString()), "cannot be read: ");
        file("x\u001b[31m 4");
        assertRefused(lab("lcr", "--scenario", file.toString()), "'x\\u001b[31m': must be 'at' or one of");
    }

    @Test
    void aFaultThatNobodyWouldSeeIsRefused() throws IOException {
        Path file = file("at 70000 until 70000 crash leader\n");
        assertRefused(
                lab("lcr", "--scenario", file.toString()),
                "fault 'at 70000 until 70000 crash leader': must begin before 60000 ms");
    }

    // A few bytes would ask for hours of work.
    @Test
    void endlessWorkIsRefused() throws IOException {
        String[] bully = {"bully", "--scenario", file("").toString()};
        file("at 5000 until 6000 crash leader\n".repeat(501));
        assertRefused(lab(bully), "mine.scenario': faults 506: must be at most 500 in the lab");
        file("at 0 until 9 contend_many n1/a 1000000\n");
        assertRefused(lab(bully), "contend_many, of all faults together, 1000000: must be at most 2000 in the lab");
        file("at 0 until 9 lie stranger>n1 1400\nat 5 until 9 lie former>n2 1400\n");
        assertRefused(lab(bully), "lie, of all faults together, 2800: must be at most 2000 in the lab");
        file("heartbeat 1\nsupport 5\n");
        assertRefused(lab(bully), "heartbeat 1: must be at least 50 in the lab");
    }

    @Test
    void aProviderThatCannotBeLoadedIsNamed() throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve("io.quorate.spi.ElectionAlgorithm"), "Newer\n");
        Files.write(directory.resolve("Newer.class"), new byte[] {1, 2, 3, 4});
        assertRefused(
                lab("bully", "--classpath", directory.toString()),
                "--classpath '" + directory + "': ",
                "ClassFormatError");
    }
}
