package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.migration.Carried.CompilerError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * docs/migration.md#the-recipe: what the recipe makes of classes in the style of users, which are below {@code
 * src/test/resources/users}, and of the example of docs/curator.md#migration. {@code -Drewrite} records the lines that
 * change.
 */
class UsersTest {

    private static final Path USERS = Path.of("src/test/resources/users");
    private static final Path EXAMPLE = Path.of("../../integration-tests/contract/src/test/java/com/example/migration");
    private static final String EXAMPLE_PREFIX = "com/example/migration/curator/";
    private static final String USERS_PREFIX = "com/example/users/";

    /** They work with data in ZooKeeper, and with elections. */
    private static final List<String> MIXED =
            List.of("CacheAndLeader.java", "Coordinator.java", "Registry.java", "Wiring.java");

    private static Map<String, String> before;
    private static Map<String, String> after;

    @BeforeAll
    static void carryOver() throws IOException {
        before = new TreeMap<>(read(USERS, USERS_PREFIX));
        before.putAll(read(EXAMPLE.resolve("curator"), EXAMPLE_PREFIX));
        after = Carried.over(before);
    }

    private static Map<String, String> read(Path directory, String prefix) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file :
                    all.filter(each -> each.toString().endsWith(".java")).toList()) {
                files.put(prefix + file.getFileName(), Files.readString(file));
            }
        }
        return files;
    }

    private static List<CompilerError> unlisted(Map<String, String> files) {
        return Carried.errors(files).stream()
                .filter(error -> !isListed(files.get(error.file()), error.line()))
                .toList();
    }

    /** Whether the line, the beginning of its statement, or the method behind its annotation has a comment of ours. */
    private static boolean isListed(String text, int line) {
        List<String> lines = text.lines().toList();
        int first = line;
        while (first > 1 && !lines.get(first - 2).matches(".*[;{}]|\\s*")) {
            first--;
        }
        return lines.subList(first - 1, line).stream().anyMatch(each -> each.contains("/*~~(Quorate: "));
    }

    @Test
    void everyFileCompilesBefore() {
        assertThat(Carried.errors(before)).isEmpty();
        assertThat(read()).hasSizeGreaterThanOrEqualTo(14).containsAll(MIXED);
    }

    private static List<String> read() {
        return before.keySet().stream()
                .filter(name -> name.startsWith(USERS_PREFIX))
                .map(name -> name.substring(USERS_PREFIX.length()))
                .toList();
    }

    @Test
    void everyErrorOfTheCompilerIsListed() {
        assertThat(unlisted(after)).as("%s", after).isEmpty();
        TreeSet<String> compile = new TreeSet<>(read());
        Carried.errors(after).forEach(error -> compile.remove(error.file().replace(USERS_PREFIX, "")));
        assertThat(compile)
                .containsExactly(
                        "CacheAndLeader.java",
                        "FakeClient.java",
                        "JobLatch.java",
                        "LeaderView.java",
                        "PlanStore.java",
                        "Registry.java",
                        "TurnTaker.java",
                        "WrittenInFull.java");
    }

    @Test
    void anErrorThatIsNotListedIsNoticed() {
        Map<String, String> unmarked = new TreeMap<>(after);
        unmarked.replaceAll((name, text) -> text.replaceAll("/\\*~~\\(Quorate: .*?\\)~~>\\*/", ""));
        assertThat(unlisted(unmarked).stream().map(CompilerError::file).distinct())
                .contains(USERS_PREFIX + "Coordinator.java", USERS_PREFIX + "Wiring.java");
    }

    @Test
    void everyChangedLineIsRecorded() throws IOException {
        StringBuilder changes = new StringBuilder();
        before.forEach((name, text) -> changes.append(changes(name, text, after.get(name))));
        Path recorded = USERS.resolve("recorded.txt");
        if (System.getProperty("rewrite") != null) {
            Files.writeString(recorded, changes);
        }
        assertThat(changes).as("%s; -Drewrite writes it", recorded).hasToString(Files.readString(recorded));
    }

    private static String changes(String name, String old, String fresh) {
        List<String> removed = old.lines()
                .filter(line -> !fresh.lines().toList().contains(line))
                .toList();
        List<String> added = fresh.lines()
                .filter(line -> !old.lines().toList().contains(line))
                .toList();
        return Stream.of(
                        Stream.of("--- " + name),
                        removed.stream().map(line -> "-" + line),
                        added.stream().map(line -> "+" + line))
                .flatMap(each -> each)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    @Test
    void dataStaysInClassesThatDoBoth() {
        for (String name : MIXED) {
            assertThat(dataOf(after.get(USERS_PREFIX + name)))
                    .as(name)
                    .isNotEmpty()
                    .isEqualTo(dataOf(before.get(USERS_PREFIX + name)));
        }
    }

    /** The lines with calls, listeners and types of data. */
    private static List<String> dataOf(String text) {
        return text.lines()
                .filter(
                        line -> line.matches(
                                ".*(childEvent|PathChildren|InterProcess|getData|setData|create\\(\\)|checkExists"
                                        + "|CuratorCache|Watcher|BackgroundCallback|announce\\(Curator|changed\\(Curator|zooKeeper).*"))
                .map(line -> line.replace("ElectionClient elections", "CuratorFramework elections"))
                .toList();
    }

    @Test
    void aSecondRunChangesNothing() {
        assertThat(Carried.over(after)).isEqualTo(after);
    }

    // Only the line that builds the client is left.
    @Test
    void theExampleBecomesItsTwin() throws IOException {
        Map<String, String> twin = read(EXAMPLE.resolve("quorate"), EXAMPLE_PREFIX);
        assertThat(twin).hasSize(3);
        twin.forEach((name, text) -> {
            String carried = after.get(name)
                    .replace("package com.example.migration.curator", "package com.example.migration.quorate");
            assertThat(lines(carried)).as(name).isEqualTo(lines(text));
        });
    }

    /** Without what builds the client, and without the order of imports, of which projects have different ones. */
    private static List<String> lines(String text) {
        Stream<String> code = text.replaceAll("(?s)ElectionClient client =\\s.*?;", "")
                .lines()
                .filter(line -> !line.isBlank() && !line.matches("import org.apache.curator.*(Factory|Retry);"));
        Map<Boolean, List<String>> byKind = code.collect(Collectors.partitioningBy(line -> line.startsWith("import ")));
        return Stream.concat(byKind.get(true).stream().sorted(), byKind.get(false).stream())
                .toList();
    }
}
