package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.cli.Quorate;
import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** docs/command-line.md#rebalance, with the command in a process of its own, on three processes with many paths. */
class RebalanceTest {

    private static final int FEW = 60;
    private static final int MANY = 10_000;
    private static final List<String> NODE =
            List.of("-Xmx400m", "-XX:+UseSerialGC", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final ChildJvms nodes = new ChildJvms();
    private final ChildJvms commands = new ChildJvms();

    @AfterEach
    void end() {
        commands.close();
        nodes.close();
    }

    /** How often nodes have lost the voters. */
    private int lost() {
        return nodes.all().stream().mapToInt(node -> node.said("lost").size()).sum();
    }

    private void start(int paths, Duration support, Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "0123456789abcdef");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        String peers = Cluster.peers(addresses);
        for (String node : addresses.keySet()) {
            ChildJvm.Command command = ChildJvm.Command.of(
                    PathsNode.class,
                    List.of(node, peers, directory.resolve(node).toString(), support.toString(), token.toString()),
                    NODE);
            nodes.add(ChildJvm.start(node, command, directory.resolve(node + ".log")));
        }
        nodes.await("all serve", () -> nodes.all().stream()
                .noneMatch(node -> node.said("ready").isEmpty()));
        nodes.all().forEach(node -> node.send("open " + paths));
        awaitLed(paths);
    }

    private Map<String, Integer> led() {
        Map<String, Integer> led = new TreeMap<>();
        nodes.all()
                .forEach(node ->
                        led.put(node.name(), Integer.valueOf(node.ask("led").split(" ")[0])));
        return led;
    }

    private void awaitLed(int paths) {
        nodes.await(
                "all paths are led",
                () -> led().values().stream().mapToInt(Integer::intValue).sum() == paths);
    }

    private ChildJvm quorate(Path directory, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        // A busy machine may be slow to answer.
        all.addAll(List.of("--timeout", "60s"));
        nodes.all()
                .forEach(node -> all.addAll(List.of(
                        "--url", "http://127.0.0.1:" + node.said("ready ").get(0))));
        return commands.add(ChildJvm.start(
                "quorate " + words[0],
                new ChildJvm.Command(
                        Quorate.class,
                        all,
                        ChildJvm.SMALL,
                        List.of(),
                        Map.of("QUORATE_TOKEN_FILE", directory.resolve("token").toString())),
                directory.resolve("quorate.log")));
    }

    /** All paths go to the first node, because the others rank last for a while. */
    private void gatherAtFirst(Path directory, int paths) throws InterruptedException {
        assertThat(quorate(directory, "standby", "n2", "on", "--force").awaitExit())
                .isZero();
        assertThat(quorate(directory, "standby", "n3", "on", "--force").awaitExit())
                .isZero();
        nodes.await("the first one leads all", () -> led().get("n1") == paths);
        assertThat(quorate(directory, "standby", "n2", "off", "--force").awaitExit())
                .isZero();
        assertThat(quorate(directory, "standby", "n3", "off", "--force").awaitExit())
                .isZero();
    }

    private void stopAndGoOn(Path directory, int paths, Duration support, String... options) throws Exception {
        start(paths, support, directory);
        int lostBefore = lost();
        gatherAtFirst(directory, paths);

        long begin = System.nanoTime();
        ChildJvm plan = quorate(directory, "rebalance", "--dry-run");
        assertThat(plan.awaitExit()).as(plan.describe()).isZero();
        System.out.printf(
                "%d paths: a plan after %d ms, with the start of the command%n",
                paths, (System.nanoTime() - begin) / 1_000_000);
        // What cannot be shared out evenly stays.
        assertThat(plan.said())
                .as(nodes::describe)
                .anyMatch(line -> line.matches("n1 +" + paths + " +" + (paths + 2) / 3));

        List<String> words = new ArrayList<>(List.of("rebalance", "--force"));
        words.addAll(List.of(options));
        ChildJvm stopped = quorate(directory, words.toArray(String[]::new));
        nodes.await(
                "some are moved",
                () -> stopped.said().stream()
                                .filter(line -> line.contains(", token "))
                                .count()
                        > 5);
        stopped.terminate();
        assertThat(stopped.awaitExit()).as(stopped.describe()).isEqualTo(143);
        Matcher said = Pattern.compile("moved (\\d+) paths; (\\d+) are left, because it was stopped:")
                .matcher(String.join("\n", stopped.said()));
        assertThat(said.find()).as(stopped.describe()).isTrue();
        int moved = Integer.parseInt(said.group(1));
        awaitLed(paths);
        assertThat(led().get("n1")).as(nodes::describe).isEqualTo(paths - moved);

        begin = System.nanoTime();
        ChildJvm rest = quorate(directory, words.toArray(String[]::new));
        assertThat(rest.isAlive()).isTrue();
        nodes.await("it ends", () -> !rest.isAlive());
        System.out.printf("%d paths: the rest is moved after %d ms%n", paths, (System.nanoTime() - begin) / 1_000_000);
        assertThat(rest.awaitExit()).as(rest.describe()).isZero();
        assertThat(led().values()).as(nodes::describe).allMatch(count -> Math.abs(3 * count - paths) < 3);
        assertThat(lost()).as(nodes::describe).isEqualTo(lostBefore);
        assertThat(quorate(directory, "rebalance", "--dry-run").awaitExit()).isZero();
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
