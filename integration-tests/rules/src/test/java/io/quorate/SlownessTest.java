package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Slowness.Finding;
import io.quorate.Slowness.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No test of the default build depends on how fast the machine is: docs/contributing.md#tests. */
class SlownessTest {

    private static final Path ROOT = Path.of("..", "..");

    /** Below integration-tests: tests, what the contract does, and what the smoke tests of the default build run. */
    private static final Pattern READ_THERE = Pattern.compile("integration-tests/(?:"
            + "(?!foreign/).*/src/test/.*(?:Test|Contract|Side)|contract/.*/migration/Applications|demo/src/main/.*"
            + "|examples/Run)\\.java");

    /** The one place that waits for all others, and what looks for machines that stand still. */
    private static final List<String> HELPERS = List.of("Deadline.java", "StallWatch.java");

    private static boolean isRead(Path file) {
        String path = file.toString().replace('\\', '/');
        boolean isTest = path.startsWith("integration-tests/")
                ? READ_THERE.matcher(path).matches()
                : path.endsWith(".java")
                        // Nothing runs the classes of users among the resources.
                        && (path.contains("/src/test/java/") || path.endsWith("/TransportConformance.java"));
        return isTest && !HELPERS.contains(file.getFileName().toString());
    }

    private static Map<Path, String> files() throws IOException {
        Map<Path, String> read = new TreeMap<>();
        for (String file : Wording.sources(ROOT)) {
            if (isRead(Path.of(file))) {
                read.put(Path.of(file), Files.readString(ROOT.resolve(file)));
            }
        }
        return read;
    }

    @Test
    void noTestOfTheDefaultBuildDependsOnTheSpeedOfTheMachine() throws IOException {
        Map<Path, String> files = files();
        // A walk that finds nothing would find nothing wrong.
        assertThat(files).hasSizeGreaterThan(100);
        assertThat(Slowness.check(files)).isEmpty();
    }

    // ---------------------------------------------------------------- every rule can fail

    private static List<Rule> rules(String... texts) {
        Map<Path, String> files = new TreeMap<>();
        for (String text : texts) {
            String name = text.replaceFirst("(?s).*?class (\\w+).*", "$1");
            files.put(Path.of("a", name + ".java"), "package a;\n" + text);
        }
        return Slowness.check(files).stream().map(Finding::rule).toList();
    }

    private static String test(String annotations, String body) {
        return "class A {\n" + annotations + "\n@Test\nvoid test() {\n" + body + "\n}\n}\n";
    }

    private static List<Rule> in(String body) {
        return rules(test("", body));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while (System.nanoTime() - begin < 5) {",
                "while (System.currentTimeMillis() < end) {",
                "while (end > System.nanoTime()) {",
                "assertThat(System.nanoTime()).isLessThan(end);",
                "long took = Duration.between(begin, end).toMillis();",
                "assertThat(end.isAfter(Instant.now())).isTrue();",
                "long now = System.nanoTime();\nassertThat(now - begin).isLessThan(5);",
                "Instant now = Instant.now();\nassertThat(now.isBefore(end)).isTrue();",
                "assertThat(what)\n.isEqualTo(System.nanoTime() - begin);"
            })
    void comparisonsWithAClockAreFound(String body) {
        assertThat(in(body)).containsExactly(Rule.CLOCK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TimeUnit.SECONDS.sl" + "eep(1);", "Thread.sl" + "eep(1);", "LockSupport.parkNanos(1);"})
    void sleepsAreFound(String body) {
        assertThat(in(body)).containsExactly(Rule.SLEEP);
    }

    @Test
    void shortLimitsOfTestsAreFound() {
        assertThat(in("assertTimeoutPreemptively(ofSeconds(5), () -> {});")).containsExactly(Rule.TIMEOUT);
        assertThat(rules(test("@Timeout(30)", ""))).containsExactly(Rule.TIMEOUT);
        assertThat(rules(test("@Timeout(value = 700, unit = MILLISECONDS)", "")))
                .containsExactly(Rule.TIMEOUT);
        assertThat(rules(test("@Timeout(value = 600, threadMode = SEPARATE_THREAD)", "")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assertThat(gate.await(100, TimeUnit.MILLISECONDS)).isFalse();",
                "assertThat(queue.poll(599, SECONDS)).isNull();",
                "queue.offer(each, 9, TimeUnit.MINUTES);",
                "assertThat(answer).succeedsWithin(1, TimeUnit.MINUTES);",
                "assertThat(answer).failsWithin(Duration.ofMillis(30));",
                "await().atMost(Duration.ofSeconds(30)).until(() -> true);",
                "await().until(() -> true);",
                "await().atMost(Duration.ofMinutes(10)).during(Duration.ofSeconds(1)).until(() -> true);",
                "socket.setSoTimeout(30_000);",
                "thread.join(5_000);"
            })
    void shortWaitsAreFound(String body) {
        assertThat(in(body)).containsExactly(Rule.SHORT_WAIT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assertThat(gate.await(600, TimeUnit.SECONDS)).isTrue();",
                "assertThat(gate.await(0, SECONDS)).isFalse();",
                "assertThat(answer).succeedsWithin(Duration.ofMinutes(10));",
                "await().atMost(Duration.ofMinutes(10)).until(() -> true);",
                "socket.setSoTimeout(600_000);",
                "long wake = System.nanoTime() + HOURS.toNanos(1);",
                "LongSupplier clock = () -> System.nanoTime();",
                "Instant end = Instant.now().plus(Duration.ofDays(1));",
                "// It compares System.nanoTime() - begin",
                "String text = \"thread.join(5)\";",
                "// Justification: a lower bound.\nassertThat(System.nanoTime() - begin).isPositive();",
                "// Justification: a lower bound\n// of two lines.\nassertThat(what)\n.isEqualTo(System.nanoTime() - begin);",
                "// Justification: a lower bound.\nlong begin = System.nanoTime();\nrun();\nassertThat(System.nanoTime() - begin);",
            })
    void longWaitsAndWhatIsJustifiedAreNotFound(String body) {
        assertThat(in(body)).isEmpty();
    }

    @Test
    void aJustificationIsForOneStatement() {
        assertThat(in("// Justification: a lower bound.\nthread.join(5);\nthread.join(5);"))
                .containsExactly(Rule.SHORT_WAIT);
        assertThat(in("// Another reason.\nthread.join(5);")).containsExactly(Rule.SHORT_WAIT);
    }

    // ---------------------------------------------------------------- suites

    private static final String REPEATED = "@ExtendWith(RepeatedWhenStalled.class)\n";

    @Test
    void testsOfSuitesMayClaimATime() {
        assertThat(rules(test("@Tag(\"storms\")", "thread.join(5);"))).isEmpty();
        assertThat(rules("@Tag(\"storms\")\n" + test("", "thread.join(5);"))).isEmpty();
        assertThat(rules(
                        "@Tag(\"storms\")\nabstract class Base {}",
                        "class A extends Base { void a() { thread.join(5); } }"))
                .isEmpty();
        assertThat(rules(
                        test("@Tag(\"storms\")", "thread.join(5);") + "class B { @Test void b() { thread.join(5); } }"))
                .containsExactly(Rule.SHORT_WAIT);
        assertThat(rules(test("// @Tag(\"storms\")", "thread.join(5);"))).containsExactly(Rule.SHORT_WAIT);
        String helper = "class A { void help() { thread.join(5); }\n";
        assertThat(rules(helper + "@Tag(\"storms\") @Test void b() {} }")).isEmpty();
        assertThat(rules(helper + "@Tag(\"storms\") @Test void b() {} @Test void c() {} }"))
                .containsExactly(Rule.SHORT_WAIT);
    }

    @Test
    void repeatedTestsAreInASuite() {
        assertThat(rules(test(REPEATED, ""))).containsExactly(Rule.REPEATED);
        assertThat(rules(REPEATED + test("", ""))).containsExactly(Rule.REPEATED);
        assertThat(rules(test("@Tag(\"storms\")\n" + REPEATED, ""))).isEmpty();
        assertThat(rules("@Tag(\"storms\")\n" + REPEATED + test("", ""))).isEmpty();
    }

    @Test
    void testsInRealTimeAreRepeated() {
        assertThat(rules(test("@Tag(\"real\")", ""))).containsExactly(Rule.NOT_REPEATED);
        assertThat(rules("@Tag(\"real\")\n" + test("", ""))).containsExactly(Rule.NOT_REPEATED);
        assertThat(rules(test("@RealTime", "thread.join(5);"))).isEmpty();
        assertThat(rules("@RealTime\n" + test("", "thread.join(5);"))).isEmpty();
        assertThat(rules("@RealTime\nabstract class Base {}", "class A extends Base { void a() { thread.join(5); } }"))
                .isEmpty();
    }
}
