package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.link.Links;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RepeatedWhenStalled;
import io.quorate.testkit.simulation.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/operations.md#a-leader-that-leaves, on three JVMs: two of them never write a report at once, whatever planned end
 * comes in the middle of one. Without a drain they do.
 */
class LeaderReportsTest {

    private static final Duration DRAIN = Duration.ofSeconds(25);
    private static final Duration REPORT = Duration.ofMillis(1500);
    private static final int SEEDS = 1_000_000;

    /** What ends a leadership on purpose. */
    private enum Act {
        TRANSFER,
        STANDBY,
        RESTART
    }

    /** Said by a node. */
    private record Line(String node, String text) {}

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final ChildJvms nodes = new ChildJvms();
    private final LinkedBlockingQueue<Line> said = new LinkedBlockingQueue<>();
    private final List<String> story = new ArrayList<>();
    private final Links links = new Links();

    private String leader = "";
    private int overlaps;

    @AfterEach
    void end() {
        nodes.close();
        links.close();
    }

    /** What the processes run with. */
    private record Program(Path directory, Duration report, Duration drain) {

        /** Whose lock says who writes. */
        Path shared() {
            return directory.resolve("report");
        }
    }

    private void start(String node, Program program) {
        ChildJvm.Command command = ChildJvm.Command.of(
                ReportNode.class,
                List.of(
                        node,
                        links.peers(node, addresses),
                        addresses.get(node),
                        program.shared().toString(),
                        program.report.toString(),
                        program.drain.toString()),
                ChildJvm.SMALL);
        nodes.add(ChildJvm.start(
                node, command, program.directory.resolve(node + ".log"), text -> said.add(new Line(node, text))));
    }

    private String describe() {
        return "\n" + String.join("\n", story) + nodes.describe();
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
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Deadline.SECONDS_MAX);
        while (true) {
            Line line = said.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("not in time: " + what + describe());
            }
            hear(line);
            if (wanted.test(line)) {
                return line;
            }
        }
    }

    /** A voter that has just started supports nobody: the next end must not cost the majority. */
    private void awaitSupport() {
        nodes.awaitSupport(addresses.size());
        hearAll();
    }

    private void hearAll() {
        for (Line old = said.poll(); old != null; old = said.poll()) {
            hear(old);
        }
        story.removeIf(line -> line.contains(" supporters "));
    }

    /** Anywhere in a report of the leader, but at its end. Answers who leads. */
    private String awaitReport(Random random, Duration report) throws InterruptedException {
        hearAll();
        await("the leader begins a report", line -> line.node.equals(leader) && line.text.equals("begins"));
        TimeUnit.MILLISECONDS.sleep(random.nextLong(report.toMillis() * 2 / 3));
        return leader;
    }

    private String another(String node, Random random) {
        List<String> others =
                addresses.keySet().stream().filter(other -> !other.equals(node)).toList();
        return others.get(random.nextInt(others.size()));
    }

    /** In the middle of a report of the leader this happens; it is over when another one has begun its report. */
    private void round(Act act, Random random, Program program) throws InterruptedException {
        String former = awaitReport(random, program.report);
        String next = another(former, random);
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
            start(former, program);
        }
        awaitSupport();
    }

    private void begin(Program program) throws InterruptedException {
        try {
            Files.createFile(program.shared());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        addresses.keySet().forEach(node -> start(node, program));
        await("somebody leads", line -> line.text.equals("leads"));
        awaitSupport();
    }

    /** Runs it in a folder of its own, with a seed that is printed. */
    private static void each(Path directory, Scenario scenario) {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            try {
                scenario.run(new Random(seed), Files.createTempDirectory(directory, "nodes"));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError("seed " + seed, e);
            }
        });
    }

    @FunctionalInterface
    private interface Scenario {
        void run(Random random, Path directory) throws InterruptedException;
    }

    /** Answers how many reports have overlapped with another, in the sight of the later one. */
    private int overlaps(List<Act> acts, Random random, Program program) throws InterruptedException {
        begin(program);
        for (Act act : acts) {
            round(act, random, program);
        }
        return overlaps;
    }

    private static <T> List<T> shuffled(int count, T[] all, Random random) {
        List<T> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.add(all[random.nextInt(all.length)]);
        }
        return some;
    }

    @RealTime
    @Test
    void twoNodesNeverWriteAReportAtOnce(@TempDir Path temporary) {
        each(temporary, (random, directory) -> {
            List<Act> acts = List.of(Act.TRANSFER, Act.RESTART, Act.STANDBY);
            assertThat(overlaps(acts, random, new Program(directory, REPORT, DRAIN)))
                    .as(this::describe)
                    .isZero();
        });
    }

    @RealTime
    @Test
    void withoutADrainTheyDo(@TempDir Path temporary) {
        each(temporary, (random, directory) -> {
            List<Act> acts = List.of(Act.TRANSFER, Act.STANDBY);
            assertThat(overlaps(acts, random, new Program(directory, REPORT, Duration.ZERO)))
                    .as(this::describe)
                    .isPositive();
        });
    }

    @Test
    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    void twoNodesNeverWriteAReportAtOnceInFiftyPlannedEnds(@TempDir Path temporary) {
        each(temporary, (random, directory) -> {
            List<Act> acts = shuffled(50, Act.values(), random);
            assertThat(overlaps(acts, random, new Program(directory, Duration.ofSeconds(4), DRAIN)))
                    .as(this::describe)
                    .isZero();
        });
    }

    // ---------------------------------------------------------------- faults while a leader leaves

    /** What takes a leader away while it finishes its work. */
    private enum Fault {
        KILL,
        PAUSE,
        CUT
    }

    /** Far longer than it takes until another leads. */
    private static final Duration LONG_REPORT = Duration.ofSeconds(40);

    private static final int TRIES_MAX = 300;

    private static final Duration LONG_DRAIN = Duration.ofMinutes(5);

    private List<String> since(int line) {
        return story.subList(line, story.size());
    }

    /** The first report of the leader runs. Answers who leads. */
    private String awaitFirstReport() throws InterruptedException {
        while (!since(story.lastIndexOf(leader + " leads")).contains(leader + " begins")) {
            await("the leader begins a report", line -> line.node.equals(leader));
        }
        return leader;
    }

    /** Hands it over to any that contends: one that was hit before may not contend again yet. */
    private void leave(String former, Random random) throws InterruptedException {
        String said = "";
        for (int i = 0; i < TRIES_MAX && !said.equals("drains"); i++) {
            TimeUnit.MILLISECONDS.sleep(i == 0 ? 0 : 100);
            nodes.get(former).send("transfer " + another(former, random));
            said = await(
                            "the leader leaves, or refuses",
                            line -> line.node.equals(former)
                                    && (line.text.equals("drains") || line.text.startsWith("did not transfer")))
                    .text;
        }
        assertThat(said).as(this::describe).isEqualTo("drains");
    }

    /** A leader that leaves is hit by this. Another leads although the work is not finished, and all go on. */
    private void round(Fault fault, Random random, Program program) throws InterruptedException {
        String former = awaitFirstReport();
        leave(former, random);
        story.add(fault + " of " + former);
        switch (fault) {
            case KILL -> nodes.get(former).kill();
            case PAUSE -> nodes.get(former).pause();
            case CUT -> links.cut(former);
        }
        int faulty = story.size();
        await("another leads", line -> !line.node.equals(former) && line.text.equals("leads"));
        assertThat(since(faulty)).as(this::describe).noneMatch(line -> line.startsWith(former + " ends"));
        switch (fault) {
            case KILL -> {
                nodes.get(former).awaitExit();
                start(former, program);
            }
            case PAUSE -> nodes.get(former).resume();
            case CUT -> links.heal();
        }
        if (fault != Fault.KILL) {
            while (!since(faulty).containsAll(List.of(former + " drained CUT", former + " leads no more"))) {
                await("the former leader is told", line -> line.node.equals(former));
            }
        }
        awaitSupport();
    }

    private void faults(List<Fault> faults, Random random, Path directory) throws InterruptedException {
        Program program = new Program(directory, LONG_REPORT, LONG_DRAIN);
        begin(program);
        for (Fault fault : faults) {
            round(fault, random, program);
        }
    }

    @RealTime
    @Test
    void aLeaderThatFailsWhileItLeavesHoldsNobodyUp(@TempDir Path temporary) {
        each(temporary, (random, directory) -> faults(List.of(Fault.PAUSE, Fault.CUT, Fault.KILL), random, directory));
    }

    @Test
    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    void leadersThatFailWhileTheyLeaveHoldNobodyUp(@TempDir Path temporary) {
        each(temporary, (random, directory) -> faults(shuffled(20, Fault.values(), random), random, directory));
    }
}
