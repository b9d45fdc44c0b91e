package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/lab.md#course-kit: the skeletons with right and wrong lines in their holes, and what the lab says of them. */
class GradeTest {

    private static final Path LESSON = Path.of("..", "..", "plugin-api", "docs", "lesson.md");

    private static final Map<Integer, String> BULLY = Map.of(
            1,
            "if (self == highest) { win(); } else { for (int p = self + 1; p <= highest; p++) { send(p, new Election()); }"
                    + " waitIn(Phase.WAIT_ALIVE); }",
            2,
            "if (from > self && phase == Phase.WAIT_ALIVE) { waitIn(Phase.WAIT_VICTORY); }",
            3,
            "stopWaiting(); lead(from);");

    private static final Map<Integer, String> LCR = Map.of(
            1,
            "int place = membership.ring().indexOf(self); do { place = (place + 1) % membership.contenders(); }"
                    + " while (suspects.contains(membership.ring().get(place)));"
                    + " if (place >= 0) { return membership.ring().get(place); }",
            2,
            "if (probe.id() > self) { sendNext(probe); }"
                    + " else if (probe.id() == self) { lead(self); sendNext(new Selected(self)); }",
            3,
            "if (selected.id() != self) { lead(selected.id()); sendNext(selected); }");

    /** What a machine must not do; the test chooses one of them. */
    private static final String BREAKS =
            """
            class Shared { static int calls; }
            switch (System.getProperty("quorate.test.breaks", "")) {
                case "throws" -> throw new IllegalStateException("no");
                case "recurs" -> onVictory(from);
                case "shares" -> Shared.calls++;
                case "starts" -> new Thread(java.util.concurrent.locks.LockSupport::park).start();
                case "exits" -> System.exit(0);
                default -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        java.util.concurrent.locks.LockSupport.park();
                    }
                }
            }
            lead(Shared.calls % (highest + 1));
            """;

    /** By the name of its class; the lines stand in the holes of the skeleton. */
    private static final Map<String, Map<Integer, String>> SOLUTIONS = new TreeMap<>(Map.of(
            "BullyRight", BULLY,
            "BullyForgetsAlive", with(BULLY, 2, ""),
            "BullyEmpty", Map.of(),
            "BullyFirst", Map.of(1, BULLY.get(1)),
            "BullySecond", with(BULLY, 3, ""),
            "BullyBreaks", with(BULLY, 3, BREAKS),
            "BullyGrows", with(BULLY, 2, "send(from, new Election()); send(from, new Election());"),
            "LcrRight", LCR,
            "LcrWinsWithoutElection", with(LCR, 2, "lead(self);"),
            "LcrKeepsSelected", with(LCR, 3, "if (selected.id() != self) { lead(selected.id()); }")));

    private static Path classes;

    @TempDir
    private Path directory;

    private Path page() {
        return directory.resolve("page.html");
    }

    /** One compilation for all, of the skeletons as the lab writes them. */
    @BeforeAll
    static void compile(@TempDir Path shared) throws IOException {
        classes = shared.resolve("classes");
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-Xlint:all,-path",
                "-Werror",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path")));
        for (String algorithm : List.of("bully", "lcr")) {
            Run run = Run.of(
                    "skeleton", algorithm, "--to", shared.resolve(algorithm).toString());
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        for (Map.Entry<String, Map<Integer, String>> solution : SOLUTIONS.entrySet()) {
            boolean isBully = solution.getKey().startsWith("Bully");
            Path skeleton = isBully
                    ? shared.resolve("bully").resolve("MyBully.java")
                    : shared.resolve("lcr").resolve("MyLcr.java");
            String text = Files.readString(skeleton).replace(isBully ? "MyBully" : "MyLcr", solution.getKey());
            for (Map.Entry<Integer, String> line : solution.getValue().entrySet()) {
                String hole = "// HOLE " + line.getKey() + ":";
                assertThat(text).contains(hole);
                text = text.replace(hole, line.getValue() + " " + hole);
            }
            arguments.add(Files.writeString(shared.resolve(solution.getKey() + ".java"), text)
                    .toString());
        }
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0]));
        assertThat(failed).isZero();
    }

    /** A directory that names these classes as algorithms. */
    private Path naming(String... types) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF").resolve("services"));
        Files.writeString(services.resolve("io.quorate.spi.ElectionAlgorithm"), String.join("\n", types) + "\n");
        return directory;
    }

    private Run grade(String... types) throws IOException {
        return Run.of("grade", path(types), "--html", page().toString());
    }

    private String path(String... types) throws IOException {
        return naming(types) + File.pathSeparator + classes;
    }

    private static Map<Integer, String> with(Map<Integer, String> right, int hole, String wrong) {
        Map<Integer, String> lines = new TreeMap<>(right);
        lines.put(hole, wrong);
        return lines;
    }

    @ParameterizedTest
    @CsvSource({"BullyRight, bully", "LcrRight, lcr"})
    void rightSolutionKeepsAllRules(String type, String algorithm) throws IOException {
        Run run = grade(type);
        assertThat(run.out())
                .startsWith("my-" + algorithm + ", asked for what " + algorithm + " keeps as documented")
                .contains("passed    OneLeader ", "All 9 rules hold.")
                .doesNotContain("FAILED");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(page()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "LcrWinsWithoutElection, OneLeader, no fault: after step 2",
        "LcrKeepsSelected, ElectionWillEnd, no fault: at the start",
        "BullyForgetsAlive, HighestAliveProcessIsLeader, with P2 as the leader at first: after step 7"
    })
    void wrongSolutionFailsByTheNameOfTheRule(String type, String rule, String run) throws IOException {
        Run graded = grade(type);
        assertThat(graded.exitCode()).as(graded.err()).isEqualTo(1);
        assertThat(graded.out())
                .containsPattern("FAILED    " + rule + " .*\n +.*" + run)
                .contains("The page: " + page());
        assertThat(Files.readString(page())).contains(rule + " IS BROKEN", rule + " says: ");
        if (type.equals("BullyForgetsAlive")) {
            assertThat(graded.out().lines()).containsSubsequence(shownInTheDocument());
        }
    }

    private static List<String> shownInTheDocument() throws IOException {
        List<String> shown = Files.readAllLines(Path.of("..", "..", "plugin-api", "docs", "lab.md")).stream()
                .dropWhile(line -> !line.startsWith("my-bully, asked for what"))
                .takeWhile(line -> !line.equals("```"))
                .toList();
        assertThat(shown).hasSizeGreaterThan(3);
        return shown;
    }

    @ParameterizedTest
    @CsvSource({"BullyEmpty, none", "BullyFirst, 1", "BullySecond, 1 and 2"})
    void rulesThatPartsBreakAreThoseOfTheLesson(String type, String filled) throws IOException {
        List<String> broken = Pattern.compile("FAILED +(\\w+)")
                .matcher(grade(type).out())
                .results()
                .map(rule -> "`" + rule.group(1) + "`")
                .toList();
        assertThat(Files.readAllLines(LESSON)).contains("| " + filled + " | " + String.join(", ", broken) + " |");
    }

    @Test
    void algorithmWithoutADocumentNeedsOne() throws IOException {
        Run run = grade("com.example.election.RollCall");
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).contains("--like: must name the algorithm whose rules roll-call should keep");
        String mine = naming("com.example.election.RollCall").toString();
        assertThat(Run.of("grade", mine, "--like", "bully", "--html", page().toString())
                        .out())
                .startsWith("roll-call, asked for what bully keeps as documented: 3 processes");
    }

    // Otherwise no rule would be asked for, and all would hold.
    @Test
    void documentWithoutAnEndIsRejected() throws IOException {
        String mine = naming("com.example.election.RollCall").toString();
        assertThat(Run.of("grade", mine, "--like", "buly").err())
                .contains("algorithm 'buly': must be one of ballot, bully, ");
        assertThat(Run.of("grade", mine, "--like", "ballot").err())
                .contains("--like 'ballot': must be an algorithm that has at most 15000 states without a fault");
    }

    @Test
    void wrongJarIsRejectedWithItsRule() throws IOException {
        Run none = Run.of("grade", directory.toString());
        assertThat(none.exitCode()).isEqualTo(64);
        assertThat(none.err())
                .contains("quorate lab grade: JAR '" + directory
                        + "': must have one algorithm, named in META-INF/services/"
                        + "io.quorate.spi.ElectionAlgorithm, and has none");
        assertThat(grade("LcrRight", "BullyRight").err()).contains("and has my-bully, my-lcr");
        assertThat(Run.of("grade").err()).contains("Missing required parameter: 'JAR'");
        assertThat(Run.of("grade", "no.jar").err()).contains("JAR 'no.jar': must be a jar or a directory that exists");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "throws | algorithm my-bully failed at Received[from=2, message=VICTORY] in P0: java.lang.IllegalStateException: no",
                "recurs | java.lang.StackOverflowError",
                "shares | is there something static, random, or missing in snapshot()?",
                "starts | a machine must not start threads",
                "waits  | the algorithm does not return from Received[from=2, message=VICTORY] in P0"
            })
    void machineThatBreaksItsContractIsNamedWithTheEvent(String how, String message) throws IOException {
        System.setProperty("quorate.test.breaks", how);
        try {
            Run run = grade("BullyBreaks");
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .startsWith("quorate lab grade: ")
                    .contains("in P0", message)
                    .doesNotContain("\tat ");
        } finally {
            System.clearProperty("quorate.test.breaks");
        }
    }

    @Test
    void exitIsNoSuccess() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dquorate.test.breaks=exits",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Lab.class.getName(),
                        "grade",
                        path("BullyBreaks"))
                .redirectErrorStream(true)
                .start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("the algorithm ended the process at Received[from=2, message=VICTORY] in P0");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    // It sends more and more messages, so it may break a rule in a state behind the bound.
    @Test
    void rulesOfAnEndlessMachineAreUnknown() throws IOException {
        Run run = grade("BullyGrows");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .containsPattern("FAILED    FewMessages .*\n +no fault: after step \\d+, P\\d gets ")
                .containsPattern("unknown   TypeOK .*\n +no fault: there are more than 15000 states")
                .doesNotContain("passed", "All ");
        assertThat(Files.readString(page())).contains("FewMessages IS BROKEN");
    }

    @Test
    void skeletonDoesNotOverwriteYourWork() {
        String mine = directory.resolve("mine").toString();
        Run first = Run.of("skeleton", "bully", "--to", mine);
        assertThat(first.out()).contains("javac -cp quorate-lab.jar -d " + mine, "quorate lab grade " + mine);
        Run again = Run.of("skeleton", "bully", "--to", mine);
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("must not have MyBully.java or another algorithm yet");
        assertThat(Run.of("skeleton", "lcr", "--to", mine).err())
                .contains("must not have MyLcr.java or another algorithm");
        assertThat(Run.of("skeleton", "buly").err()).contains("must be one of bully, lcr; did you mean 'bully'?");
        assertThat(Run.of("skeleton").err()).contains("Missing required parameter: 'ALGORITHM'");
    }
}
