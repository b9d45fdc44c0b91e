package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.RepeatedWhenStalled;
import io.quorate.testkit.simulation.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/operations.md#a-leader-that-leaves, on three JVMs: two of them never write a report at once, whatever planned end
 * comes in the middle of one. Without a drain they do.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@ExtendWith(RepeatedWhenStalled.class)
class LeaderReportsTest {

    private static final Duration DRAIN = Duration.ofSeconds(25);
    private static final Duration REPORT = Duration.ofMillis(1500);
    private static final long DEADLINE_SECONDS = 60;
    private static final int SEEDS = 1_000_000;

    /** What ends a leadership on purpose. */
    private enum Act {
        TRANSFER,
        STANDBY,
        RESTART
    }

    /** Said by a node. */
    private record Line(String node, String text) {}

    @TempDir
    private Path directory;

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final Map<String, ChildJvm> nodes = new TreeMap<>();
    private final LinkedBlockingQueue<Line> said = new LinkedBlockingQueue<>();
    private final List<String> story = new ArrayList<>();
    private Path shared;
    private String leader = "";
    private int overlaps;

    @BeforeEach
    void makeShared() throws Exception {
        shared = Files.createFile(directory.resolve("report"));
        story.clear();
        overlaps = 0;
    }

    @AfterEach
    void end() {
        nodes.values().forEach(ChildJvm::end);
        nodes.clear();
        said.clear();
    }

    private void start(String node, Duration report, Duration drain) {
        String peers = addresses.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
        ChildJvm.Command command = ChildJvm.Command.of(
                ReportNode.class,
                List.of(node, peers, shared.toString(), report.toString(), drain.toString()),
                ChildJvm.SMALL);
        nodes.put(
                node,
                ChildJvm.start(
                        node, command, directory.resolve(node + ".log"), text -> said.add(new Line(node, text))));
    }

    private String describe() {
        return "\n" + String.join("\n", story)
                + nodes.values().stream()
                        .map(each -> "\n" + each.describe(List.of()))
                        .collect(Collectors.joining());
    }

    private void hear(Line line) {
        story.add(line.node + " " + line.text);
        switch (line.text) {
            case "leads" -> leader = line.node;
            case "overlaps" -> overlaps++;
            default -> assertThat(line.text).as(this::describe).doesNotStartWith("fails");
        }
    }

    /** Hears what the nodes say, up to a line like this. */
    private Line await(String what, Predicate<Line> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            Line line = said.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what + describe());
            }
            hear(line);
            if (wanted.test(line)) {
                return line;
            }
        }
    }

    /** A voter that has just started supports nobody: the next end must not cost the majority. */
    private void awaitSupport() throws InterruptedException {
        for (Map.Entry<String, ChildJvm> node : nodes.entrySet()) {
            String answer = "";
            while (!answer.equals("supporters 3")) {
                TimeUnit.MILLISECONDS.sleep(20);
                node.getValue().send("supporters");
                answer = await(
                                "support of " + node.getKey(),
                                line -> line.node.equals(node.getKey()) && line.text.startsWith("supporters"))
                        .text;
            }
        }
        story.removeIf(line -> line.contains(" supporters "));
    }

    /** In the middle of a report of the leader this happens; it is over when another one has begun its report. */
    private void round(Act act, Random random, Duration report, Duration drain) throws InterruptedException {
        for (Line old = said.poll(); old != null; old = said.poll()) {
            hear(old);
        }
        await("the leader begins a report", line -> line.node.equals(leader) && line.text.equals("begins"));
        // Anywhere within it, and not at its end.
        TimeUnit.MILLISECONDS.sleep(random.nextLong(report.toMillis() * 2 / 3));
        String former = leader;
        List<String> others =
                nodes.keySet().stream().filter(node -> !node.equals(former)).toList();
        String next = others.get(random.nextInt(others.size()));
        story.add(act + " of " + former + (act == Act.TRANSFER ? " to " + next : ""));
        switch (act) {
            case TRANSFER -> nodes.get(former).send("transfer " + next);
            case STANDBY -> nodes.get(former).send("standby true");
            case RESTART -> nodes.get(former).terminate();
        }
        Line begun = await("another begins a report", line -> !line.node.equals(former) && line.text.equals("begins"));
        if (act == Act.TRANSFER) {
            assertThat(begun.node).as(this::describe).isEqualTo(next);
        } else if (act == Act.STANDBY) {
            nodes.get(former).send("standby false");
        } else {
            assertThat(nodes.get(former).awaitExit()).as(this::describe).isEqualTo(143);
            start(former, report, drain);
        }
        awaitSupport();
    }

    /** Answers how many reports have overlapped with another, in the sight of the later one. */
    private int overlaps(List<Act> acts, Random random, Duration report, Duration drain) {
        addresses.keySet().forEach(node -> start(node, report, drain));
        try {
            await("somebody leads", line -> line.text.equals("leads"));
            awaitSupport();
            for (Act act : acts) {
                round(act, random, report, drain);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        return overlaps;
    }

    private static List<Act> shuffled(int count, Random random) {
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            acts.add(Act.values()[random.nextInt(Act.values().length)]);
        }
        return acts;
    }

    @Test
    void twoNodesNeverWriteAReportAtOnce() {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            List<Act> acts = List.of(Act.TRANSFER, Act.RESTART, Act.STANDBY);
            assertThat(overlaps(acts, new Random(seed), REPORT, DRAIN))
                    .as(this::describe)
                    .isZero();
        });
    }

    @Test
    void withoutADrainTheyDo() {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            List<Act> acts = List.of(Act.TRANSFER, Act.STANDBY);
            assertThat(overlaps(acts, new Random(seed), REPORT, Duration.ZERO))
                    .as(this::describe)
                    .isPositive();
        });
    }

    @Test
    @Tag("nemesis")
    void twoNodesNeverWriteAReportAtOnceInFiftyPlannedEnds() {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            Random random = new Random(seed);
            assertThat(overlaps(shuffled(50, random), random, Duration.ofSeconds(4), DRAIN))
                    .as(this::describe)
                    .isZero();
        });
    }
}
