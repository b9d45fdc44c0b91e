package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.link.LinkProxy;
import io.quorate.process.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes over plain TCP, each with a latch on each of 100,000 paths ({@code -Dpaths=N}), through all that
 * happens to a cluster. After each event all are led again, and then nothing is lost any more. Prints for each how long
 * it took, and what it cost the nodes that nothing happened to: docs/verification.md has what was measured.
 */
@Tag("many")
class ManyPathsInThreeProcessesTest {

    private static final int PATHS = Integer.getInteger("paths", 100_000);
    private static final Duration IDLE = Duration.ofSeconds(Integer.getInteger("idle", 300));
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final List<String> JVM = List.of("-Xmx3g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    @TempDir
    private Path folder;

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final Map<String, LinkProxy> links = new LinkedHashMap<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<String> report = new ArrayList<>();

    @AfterEach
    void end() {
        nodes.values().forEach(node -> node.jvm.end());
        links.values().forEach(LinkProxy::close);
    }

    /** One life of a node. */
    private static final class Node {

        private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        private final AtomicInteger lost = new AtomicInteger();
        private final ChildJvm jvm;
        private int lostBefore;
        private int endedBefore;

        Node(String id, List<String> arguments, Path folder) {
            jvm = ChildJvm.start(
                    id, ChildJvm.Command.of(PathsNode.class, arguments, JVM), folder.resolve(id + ".log"), line -> {
                        if (line.equals("lost")) {
                            lost.incrementAndGet();
                        } else {
                            answers.add(line);
                        }
                    });
        }

        String answer() {
            try {
                String said = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(said).as(() -> jvm.describe(List.of())).isNotNull();
                return said.substring(said.indexOf(' ') + 1);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }

        String ask(String command) {
            jvm.send(command);
            return answer();
        }

        int[] counts() {
            String[] words = ask("led").split(" ");
            return new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1]), lost.get()};
        }
    }

    // ---------------------------------------------------------------- the cluster

    private void start(String id) {
        String peers = addresses.entrySet().stream()
                .map(each ->
                        each.getKey() + "=" + (each.getKey().equals(id) ? each.getValue() : link(id, each.getKey())))
                .collect(Collectors.joining(","));
        Node node = new Node(id, List.of(id, peers, folder.resolve("data-" + id).toString(), "PT1S"), folder);
        nodes.put(id, node);
        assertThat(node.answer()).isEqualTo("0");
    }

    private String link(String from, String to) {
        return links.computeIfAbsent(from + ">" + to, unknown -> new LinkProxy(addresses.get(to)))
                .address();
    }

    private void openAt(String id) {
        nodes.get(id).ask("open " + PATHS);
    }

    private void cut(String id) {
        links.forEach((name, link) -> {
            if (name.contains(id)) {
                link.cut(LinkProxy.Way.THERE);
                link.cut(LinkProxy.Way.BACK);
            }
        });
    }

    private void heal() {
        links.values().forEach(LinkProxy::heal);
    }

    private String leader() {
        Map<String, Integer> led = new TreeMap<>();
        nodes.forEach((id, node) -> led.put(id, node.counts()[0]));
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
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as(() -> "not in time: " + what + "; " + report
                            + nodes.values().stream()
                                    .map(each -> "\n" + each.jvm.describe(List.of()))
                                    .collect(Collectors.joining()))
                    .isLessThan(deadline);
            pause(Duration.ofMillis(100));
        }
    }

    private void awaitAllLed() {
        await(
                "all are led",
                () -> nodes.values().stream().mapToInt(node -> node.counts()[0]).sum() == PATHS);
    }

    private void awaitAllContended() {
        nodes.values()
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
        quiet.forEach((id, counts) -> assertThat(counts)
                .as(() -> id + " after " + what + ": ended, LOST; " + report)
                .containsOnly(0));
    }

    private Map<String, int[]> count(String what, Set<String> concerned, Runnable action) {
        long begin = System.nanoTime();
        action.run();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Map<String, int[]> others = new TreeMap<>();
        nodes.forEach((id, node) -> {
            int[] counts = node.counts();
            if (!concerned.contains(id)) {
                others.put(id, new int[] {counts[1] - node.endedBefore, counts[2] - node.lostBefore});
            }
            node.endedBefore = counts[1];
            node.lostBefore = counts[2];
        });
        report.add(String.format(
                "%d paths, %s: %.1f s; leaderships that ended on the others %d, LOST there %d",
                PATHS,
                what,
                seconds,
                others.values().stream().mapToInt(each -> each[0]).sum(),
                others.values().stream().mapToInt(each -> each[1]).sum()));
        System.out.println(report.get(report.size() - 1));
        return others;
    }

    @Test
    void whateverHappensAllAreLedAgainAndStayLed() {
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
        event("SIGKILL of the leader", Set.of(killed), () -> nodes.remove(killed)
                .jvm
                .end());
        event("it comes back", Set.of(killed), () -> {
            start(killed);
            openAt(killed);
            awaitAllContended();
        });

        String separated = leader();
        event("a cut of the leader for " + OUTAGE.toSeconds() + " s", Set.of(separated), () -> {
            cut(separated);
            pause(OUTAGE);
            heal();
        });
        String leads = leader();
        String follower = addresses.keySet().stream()
                .filter(id -> !id.equals(leads))
                .findFirst()
                .orElseThrow();
        event("a cut of a follower for " + OUTAGE.toSeconds() + " s", Set.of(follower), () -> {
            cut(follower);
            pause(OUTAGE);
            heal();
        });

        String voters =
                addresses.keySet().stream().filter(id -> !id.equals(follower)).collect(Collectors.joining(","));
        event("a voter leaves the list", Set.of(), () -> changeVoters(leads, voters));
        event("it votes again", Set.of(), () -> changeVoters(leads, String.join(",", addresses.keySet())));

        for (String id : addresses.keySet()) {
            event("rolling restart: " + id + " stops", Set.of(id), () -> {
                nodes.get(id).ask("stop");
                nodes.remove(id).jvm.end();
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
