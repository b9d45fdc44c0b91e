package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.cli.Quorate;
import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RepeatedWhenStalled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** docs/command-line.md#rebalance, with the command in a process of its own, on three processes with many paths. */
class RebalanceTest {

    private static final int FEW = 60;
    private static final int MANY = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final List<String> NODE =
            List.of("-Xmx400m", "-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final Map<String, ChildJvm> nodes = new TreeMap<>();
    private final Map<String, String> urls = new ConcurrentHashMap<>();
    private final Map<String, Integer> led = new ConcurrentHashMap<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private final List<ChildJvm> commands = new ArrayList<>();

    @AfterEach
    void end() {
        commands.forEach(ChildJvm::end);
        nodes.values().forEach(ChildJvm::end);
    }

    private String describe() {
        return "led " + led + ", lost " + lost
                + nodes.values().stream()
                        .map(each -> "\n" + each.describe(List.of()))
                        .collect(Collectors.joining());
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("not in time: %s; %s", what, describe())
                    .isLessThan(deadline);
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }
    }

    private void hear(String node, String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "ready" -> urls.put(node, "http://127.0.0.1:" + words[1]);
            case "led" -> led.put(node, Integer.parseInt(words[1]));
            case "lost" -> lost.add(node);
            case "open" -> {}
            default -> throw new IllegalArgumentException(node + ": " + line);
        }
    }

    private void start(int paths, Duration support, Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "0123456789abcdef");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        String peers = addresses.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
        for (String node : addresses.keySet()) {
            ChildJvm.Command command = ChildJvm.Command.of(
                    PathsNode.class,
                    List.of(node, peers, directory.resolve(node).toString(), support.toString(), token.toString()),
                    NODE);
            nodes.put(node, ChildJvm.start(node, command, directory.resolve(node + ".log"), line -> hear(node, line)));
        }
        await("all serve", () -> urls.size() == 3);
        nodes.values().forEach(node -> node.send("open " + paths));
        awaitLed(paths);
        lost.clear();
    }

    private Map<String, Integer> led() {
        led.clear();
        nodes.values().forEach(node -> node.send("led"));
        await("all tell", () -> led.size() == nodes.size());
        return new TreeMap<>(led);
    }

    private void awaitLed(int paths) {
        await(
                "all paths are led",
                () -> led().values().stream().mapToInt(Integer::intValue).sum() == paths);
    }

    /** A command, and what it has said. */
    private record Running(ChildJvm jvm, List<String> lines) {

        int exit() throws InterruptedException {
            return jvm.awaitExit();
        }
    }

    private Running quorate(Path directory, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        urls.values().forEach(url -> all.addAll(List.of("--url", url)));
        List<String> lines = new CopyOnWriteArrayList<>();
        ChildJvm jvm = ChildJvm.start(
                "quorate",
                new ChildJvm.Command(
                        Quorate.class,
                        all,
                        ChildJvm.SMALL,
                        List.of(),
                        Map.of("QUORATE_TOKEN_FILE", directory.resolve("token").toString())),
                directory.resolve("quorate.log"),
                lines::add);
        commands.add(jvm);
        return new Running(jvm, lines);
    }

    /** All paths go to the first node, because the others rank last for a while. */
    private void gatherAtFirst(Path directory, int paths) throws InterruptedException {
        assertThat(quorate(directory, "standby", "n2", "on", "--force").exit()).isZero();
        assertThat(quorate(directory, "standby", "n3", "on", "--force").exit()).isZero();
        await("the first one leads all", () -> led().get("n1") == paths);
        assertThat(quorate(directory, "standby", "n2", "off", "--force").exit()).isZero();
        assertThat(quorate(directory, "standby", "n3", "off", "--force").exit()).isZero();
    }

    private void stopAndGoOn(Path directory, int paths, Duration support, String... options) throws Exception {
        start(paths, support, directory);
        gatherAtFirst(directory, paths);

        long begin = System.nanoTime();
        Running plan = quorate(directory, "rebalance", "--dry-run");
        assertThat(plan.exit()).as(plan.lines.toString()).isZero();
        System.out.printf(
                "%d paths: a plan after %d ms, with the start of the command%n",
                paths, (System.nanoTime() - begin) / 1_000_000);
        // What cannot be shared out evenly stays.
        assertThat(plan.lines)
                .as(this::describe)
                .anyMatch(line -> line.matches("n1 +" + paths + " +" + (paths + 2) / 3));

        List<String> words = new ArrayList<>(List.of("rebalance", "--force"));
        words.addAll(List.of(options));
        Running stopped = quorate(directory, words.toArray(String[]::new));
        await(
                "some are moved",
                () -> stopped.lines.stream()
                                .filter(line -> line.contains(", token "))
                                .count()
                        > 5);
        stopped.jvm.terminate();
        assertThat(stopped.exit()).as(stopped.lines.toString()).isEqualTo(143);
        Matcher said = Pattern.compile("moved (\\d+) paths; (\\d+) are left, because it was stopped:")
                .matcher(String.join("\n", stopped.lines));
        assertThat(said.find()).as(stopped.lines.toString()).isTrue();
        int moved = Integer.parseInt(said.group(1));
        awaitLed(paths);
        assertThat(led().get("n1")).as(this::describe).isEqualTo(paths - moved);

        begin = System.nanoTime();
        Running rest = quorate(directory, words.toArray(String[]::new));
        assertThat(rest.jvm.isAlive()).isTrue();
        await("it ends", () -> !rest.jvm.isAlive());
        System.out.printf("%d paths: the rest is moved after %d ms%n", paths, (System.nanoTime() - begin) / 1_000_000);
        assertThat(rest.exit()).as(rest.lines.toString()).isZero();
        assertThat(led().values()).as(this::describe).allMatch(count -> Math.abs(3 * count - paths) < 3);
        assertThat(lost).as(this::describe).isEmpty();
        assertThat(quorate(directory, "rebalance", "--dry-run").exit()).isZero();
    }

    @RealTime
    @Test
    void leadersAreSpreadOverTheNodesAndAStopLeavesEachPathLed(@TempDir Path directory) throws Exception {
        // Nothing here depends on the support time, and a busy machine must not cost a lease.
        stopAndGoOn(directory, FEW, Duration.ofSeconds(5));
    }

    @Test
    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    void tenThousandLeadersAreSpread(@TempDir Path directory) throws Exception {
        stopAndGoOn(directory, MANY, Profile.DEFAULT.supportDuration(), "--parallel", "8");
    }
}
