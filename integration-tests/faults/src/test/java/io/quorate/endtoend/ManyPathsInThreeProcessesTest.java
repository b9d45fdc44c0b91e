package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.link.Links;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes over plain TCP, each with a latch on each of 100,000 paths ({@code -Dpaths=N}), through all that
 * happens to a cluster. After each event all are led again, and then nothing is lost any more. Prints for each how long
 * it took, and what it cost the nodes that nothing happened to: docs/verification.md has what was measured. Next to busy
 * threads ({@code -Dloops=N}) the processes may lose leaderships, which are only counted; all are led again.
 */
@Tag("many")
class ManyPathsInThreeProcessesTest {

    private static final int PATHS = Integer.getInteger("paths", 100_000);
    private static final Duration IDLE = Duration.ofSeconds(Integer.getInteger("idle", 300));
    private static final int LOOPS = Integer.getInteger("loops", 0);
    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final List<String> JVM = List.of("-Xmx3g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    @TempDir
    private Path folder;

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final Links links = new Links();
    private final ChildJvms nodes = new ChildJvms();
    /** How many leaderships had ended, and how often the voters had been lost, in the present life of each node. */
    private final Map<String, int[]> before = new TreeMap<>();

    private final List<String> report = new ArrayList<>();

    private volatile boolean isOver;

    @AfterEach
    void end() {
        isOver = true;
        nodes.close();
        links.close();
    }

    // ---------------------------------------------------------------- the cluster

    private void start(String id) {
        List<String> arguments = List.of(
                id, links.peers(id, addresses), folder.resolve("data-" + id).toString(), "PT1S");
        ChildJvm node = nodes.add(
                ChildJvm.start(id, ChildJvm.Command.of(PathsNode.class, arguments, JVM), folder.resolve(id + ".log")));
        before.put(id, new int[2]);
        nodes.await("it is ready", () -> node.said("ready ").equals(List.of("0")));
    }

    private void openAt(String id) {
        nodes.get(id).ask("open " + PATHS);
    }

    private static int[] counts(ChildJvm node) {
        String[] words = node.ask("led").split(" ");
        return new int[] {
            Integer.parseInt(words[0]),
            Integer.parseInt(words[1]),
            node.said("lost").size()
        };
    }

    private String leader() {
        Map<String, Integer> led = new TreeMap<>();
        nodes.all().forEach(node -> led.put(node.name(), counts(node)[0]));
        return led.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private void await(String what, BooleanSupplier condition) {
        nodes.await(what + "; " + report, () -> {
            pause(Duration.ofMillis(100));
            return condition.getAsBoolean();
        });
    }

    private void awaitAllLed() {
        await(
                "all are led",
                () -> nodes.all().stream().mapToInt(node -> counts(node)[0]).sum() == PATHS);
    }

    private void awaitAllContended() {
        nodes.all()
                .forEach(node ->
                        await("all contend", () -> node.ask("contended 3").equals("true")));
    }

    // ---------------------------------------------------------------- what happens

    /** Does something to some nodes, until all paths are led; then nothing may be lost. */
    private void event(String what, Set<String> concerned, Runnable action) {
        count(what, concerned, () -> {
            action.run();
            awaitAllLed();
        });
        Map<String, int[]> quiet = count("  then " + QUIET.toSeconds() + " s", Set.of(), () -> pause(QUIET));
        if (LOOPS == 0) {
            quiet.forEach((id, counts) -> assertThat(counts)
                    .as(() -> id + " after " + what + ": ended, LOST; " + report)
                    .containsOnly(0));
        }
    }

    private void keepBusy() {
        for (int i = 0; i < LOOPS; i++) {
            Thread loop = new Thread(() -> {
                while (!isOver) {
                    Thread.onSpinWait();
                }
            });
            loop.setDaemon(true);
            loop.start();
        }
    }

    private Map<String, int[]> count(String what, Set<String> concerned, Runnable action) {
        long begin = System.nanoTime();
        action.run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Map<String, int[]> others = new TreeMap<>();
        nodes.all().forEach(node -> {
            int[] counts = counts(node);
            int[] earlier = before.put(node.name(), new int[] {counts[1], counts[2]});
            if (!concerned.contains(node.name())) {
                others.put(node.name(), new int[] {counts[1] - earlier[0], counts[2] - earlier[1]});
            }
        });
        report.add(String.format(
                "%d paths next to %d loops, %s: %.1f s; leaderships that ended on the others %d, LOST there %d",
                PATHS,
                LOOPS,
                what,
                seconds,
                others.values().stream().mapToInt(each -> each[0]).sum(),
                others.values().stream().mapToInt(each -> each[1]).sum()));
        System.out.println(report.get(report.size() - 1));
        return others;
    }

    @Test
    void allPathsAreLedAgainAfterEachEvent() {
        keepBusy();
        addresses.keySet().forEach(this::start);
        event("start", Set.of(), () -> openAt("n1"));
        event("the others contend", Set.of(), () -> {
            openAt("n2");
            openAt("n3");
            awaitAllContended();
        });
        event("idle", Set.of(), () -> pause(IDLE));

        String closing = leader();
        event("close of all latches of the leader", Set.of(closing), () -> nodes.get(closing)
                .ask("close"));
        event("it contends again", Set.of(closing), () -> {
            openAt(closing);
            awaitAllContended();
        });

        String killed = leader();
        event("SIGKILL of the leader", Set.of(killed), () -> nodes.end(killed));
        event("it comes back", Set.of(killed), () -> {
            start(killed);
            openAt(killed);
            awaitAllContended();
        });

        String separated = leader();
        event("a cut of the leader for " + OUTAGE.toSeconds() + " s", Set.of(separated), () -> {
            links.cut(separated);
            pause(OUTAGE);
            links.heal();
        });
        String leads = leader();
        String follower = addresses.keySet().stream()
                .filter(id -> !id.equals(leads))
                .findFirst()
                .orElseThrow();
        event("a cut of a follower for " + OUTAGE.toSeconds() + " s", Set.of(follower), () -> {
            links.cut(follower);
            pause(OUTAGE);
            links.heal();
        });

        String voters =
                addresses.keySet().stream().filter(id -> !id.equals(follower)).collect(Collectors.joining(","));
        event("a voter leaves the list", Set.of(), () -> changeVoters(leads, voters));
        event("it votes again", Set.of(), () -> changeVoters(leads, String.join(",", addresses.keySet())));

        for (String id : addresses.keySet()) {
            event("rolling restart: " + id + " stops", Set.of(id), () -> {
                nodes.get(id).ask("stop");
                nodes.end(id);
            });
            event("rolling restart: " + id + " is back", Set.of(id), () -> {
                start(id);
                openAt(id);
                awaitAllContended();
            });
        }
    }

    private void changeVoters(String at, String voters) {
        assertThat(nodes.get(at).ask("voters " + voters))
                .matches("number \\d+: \\[" + voters.replace(",", ", ") + "\\]");
    }
}
