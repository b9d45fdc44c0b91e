package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.migration.Recipe.Place;
import io.quorate.source.Errors;
import io.quorate.source.Errors.CompilerError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/migration.md#the-recipe: what {@code quorate migrate} makes of the example, and of classes in the style of users,
 * which are below {@code src/test/resources/migrate}. {@code -Drewrite} records what it says of them anew.
 */
class MigrateTest {

    private static final Path RESOURCES = Path.of("src", "test", "resources", "migrate");
    private static final Path USERS = RESOURCES.resolve(Path.of("com", "example", "users"));
    private static final Path RECORDED = RESOURCES.resolve("recorded.txt");

    private static final Predicate<String> ALL = entry -> true;
    private static final Predicate<String> WITHOUT_CURATOR =
            entry -> !entry.contains("curator") && !entry.contains("zookeeper");

    @TempDir
    private Path directory;

    // ---------------------------------------------------------------- the example

    @Test
    void theExampleBecomesItsTwinExceptForTheLineOfTheClient() throws IOException {
        Recipe.write(directory, Twins.sources("curator"));
        Recipe recipe = Recipe.ofProcess(directory);
        assertThat(Twins.of(recipe.files(), Twins.sources("quorate")).changes())
                .isEqualTo(
                        """
                        --- CacheRefresh.java
                        --- ReportApplication.java
                        -import org.apache.curator.framework.CuratorFrameworkFactory;
                        -import org.apache.curator.retry.ExponentialBackoffRetry;
                        -                CuratorFrameworkFactory.newClient(arguments[1], 4_000, 2_000, new ExponentialBackoffRetry(100, 3));
                        +                ElectionClient.builder().nodeId(id).peers(arguments[1]).build();
                        --- ReportJob.java
                        """);
        assertThat(recipe.places()).singleElement().satisfies(place -> {
            assertThat(place.file()).isEqualTo("ReportApplication.java");
            assertThat(line(recipe, place)).contains("CuratorFrameworkFactory.newClient(");
        });
        assertThat(recipe.exitCode()).isEqualTo(1);
        assertThat(Recipe.run(directory).files()).isEqualTo(recipe.files());
    }

    private static String line(Recipe recipe, Place place) {
        return recipe.files().get(place.file()).lines().toList().get(place.line() - 1);
    }

    // ---------------------------------------------------------------- classes of users

    @Test
    void eachClassOfAUserCompilesOrItsPlacesAreListed() throws IOException {
        Map<String, String> before = Recipe.read(USERS);
        assertThat(before).hasSizeGreaterThanOrEqualTo(10);
        before.forEach((name, text) ->
                assertThat(Errors.of(name, text, ALL)).as("%s before", name).isEmpty());

        Recipe recipe = Recipe.of(directory, before);
        TreeSet<String> compile = new TreeSet<>();
        recipe.files().forEach((name, text) -> {
            List<CompilerError> errors = Errors.of(name, text, ALL);
            assertThat(errors)
                    .as("%s has errors at places that are not listed:\n%s", name, recipe.out())
                    .allMatch(error -> isListed(recipe, name, (int) error.line()));
            if (errors.isEmpty()) {
                compile.add(name);
            }
        });
        assertThat(compile)
                .containsExactly(
                        "FakeClient.java",
                        "JobLatch.java",
                        "LeaderView.java",
                        "PlanStore.java",
                        "TurnTaker.java",
                        "WrittenInFull.java");
        assertIsAsRecorded(recipe.out());
        assertThat(Recipe.run(directory).files()).isEqualTo(recipe.files());
    }

    /** Whether the line, the beginning of its statement, or the method behind its annotation is a place. */
    private static boolean isListed(Recipe recipe, String name, int line) {
        List<String> lines = recipe.files().get(name).lines().toList();
        int first = line;
        while (first > 1 && !lines.get(first - 2).matches(".*[;{}]|\\s*")) {
            first--;
        }
        int begin = first;
        int end = lines.get(line - 1).strip().startsWith("@") ? line + 1 : line;
        return recipe.places().stream()
                .anyMatch(place -> place.file().equals(name) && place.line() >= begin && place.line() <= end);
    }

    private static void assertIsAsRecorded(String out) throws IOException {
        if (System.getProperty("rewrite") != null) {
            Files.writeString(RECORDED, out);
        } else {
            assertThat(out).as("%s; -Drewrite writes it", RECORDED).isEqualTo(Files.readString(RECORDED));
        }
    }

    @Test
    void aDryRunSaysTheSameAndWritesNothing() throws IOException {
        Map<String, String> before = Recipe.read(USERS);
        Recipe.write(directory, before);
        Recipe dry = Recipe.run(directory, true);
        assertThat(dry.files()).isEqualTo(before);
        assertThat(withoutLines(dry.out()).replace("would be ", ""))
                .isEqualTo(withoutLines(Recipe.run(directory).out()));
    }

    /** An import more or less moves the lines behind it. */
    private static String withoutLines(String out) {
        return out.replaceAll("(?m)^(\\w+\\.java):\\d+:", "$1:");
    }

    // ---------------------------------------------------------------- what is left, done as the command says

    /** Something that stands in a file, and what somebody writes in its place. */
    private record ByHand(String file, String listed, String written) {}

    private static final List<ByHand> BY_HAND = List.of(
            new ByHand(
                    "BillingElection.java",
                    """
                            ElectionClient billing = client.usingNamespace("billing");
                            latch = new LeaderLatch(billing, "/leader", host);
                    """,
                    """
                            latch = new LeaderLatch(client, "/billing/leader", host);
                    """),
            new ByHand(
                    "Connection.java",
                    "CuratorFrameworkFactory.newClient(servers, new RetryNTimes(3, 100))",
                    "ElectionClient.builder().nodeId(\"n1\").peers(servers).build()"),
            new ByHand(
                    "Connection.java",
                    """
                            if (!client.blockUntilConnected(30, TimeUnit.SECONDS)) {
                                throw new IllegalStateException("no connection to " + servers);
                            }
                    """,
                    ""),
            new ByHand(
                    "Connection.java",
                    "client.getZookeeperClient().isConnected()",
                    "client.connectionState().map(io.quorate.ConnectionState::isConnected).orElse(false)"),
            new ByHand("Connection.java", "CloseableUtils.closeQuietly(client)", "client.close()"),
            new ByHand(
                    "ManySelectors.java",
                    """
                            @Override
                            public boolean doNotProxy() {
                                return true;
                            }

                    """,
                    ""),
            new ByHand("ManySelectors.java", "new CloseableExecutorService(threads)", "threads"),
            new ByHand("ManySelectors.java", "\"/c\", factory, executor,", "\"/c\","),
            new ByHand("SchedulerTest.java", "        when(zooKeeper.isConnected()).thenReturn(false);\n", ""),
            new ByHand(
                    "SchedulerTest.java",
                    "        CuratorZookeeperClient zooKeeper = mock(CuratorZookeeperClient.class);\n",
                    ""),
            new ByHand(
                    "SchedulerTest.java",
                    "client.getZookeeperClient()).thenReturn(zooKeeper)",
                    "client.connectionState()).thenReturn(java.util.Optional.of(io.quorate.ConnectionState.LOST))"),
            new ByHand(
                    "StrictClient.java",
                    """
                    CuratorFrameworkFactory.builder()
                                    .connectString(servers)
                                    .sessionTimeoutMs(10_000)
                                    .connectionTimeoutMs(5_000)
                                    .retryPolicy(new ExponentialBackoffRetry(1_000, 3))
                    """,
                    """
                    ElectionClient.builder()
                                    .nodeId("n1")
                                    .peers(servers)
                                    .supportDuration(java.time.Duration.ofSeconds(10))
                                    .connectionTimeout(java.time.Duration.ofSeconds(5))
                    """));

    @Test
    void whenThatIsDoneTheClassesCompileWithoutCurator() throws IOException {
        Map<String, String> files =
                new TreeMap<>(Recipe.of(directory, Recipe.read(USERS)).files());
        // These work with data in ZooKeeper, or are a client of Curator.
        files.keySet().removeAll(List.of("Coordinator.java", "FakeClient.java", "PlanStore.java"));
        for (ByHand each : BY_HAND) {
            assertThat(files.get(each.file)).as(each.file).contains(each.listed);
            files.computeIfPresent(each.file, (name, text) -> text.replace(each.listed, each.written));
        }
        files.replaceAll((name, text) -> text.lines()
                .filter(line -> !line.startsWith("import org.apache.curator."))
                .collect(Collectors.joining("\n")));
        assertThat(files).hasSizeGreaterThanOrEqualTo(8);
        files.forEach((name, text) -> assertThat(Errors.of(name, text, WITHOUT_CURATOR))
                .as("%s:\n%s", name, text)
                .isEmpty());
    }

    @Test
    void aClassThatStillNeedsCuratorIsNoticed() throws IOException {
        String text = Files.readString(USERS.resolve("JobLatch.java"));
        assertThat(Errors.of("JobLatch.java", text, WITHOUT_CURATOR)).isNotEmpty();
        Recipe nothing = new Recipe(0, "", Map.of("JobLatch.java", text));
        assertThat(isListed(nothing, "JobLatch.java", 10)).isFalse();
    }
}
