package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.RealTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/fencing.md, on three JVMs: a leader is stopped by SIGSTOP in the middle of its work, another one leads and
 * writes, and the first one comes back and writes. The guards of database, server and file refuse that. Without them it
 * gets through, in the same round.
 */
class LateWritesTest {

    private static final int FEW = 2;
    private static final int MANY = 100;
    private static final long DEADLINE_SECONDS = 600;
    private static final List<String> KINDS = List.of("database", "server", "file");

    /** Said by a node. */
    private record Line(String node, String text) {}

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final Map<String, ChildJvm> nodes = new TreeMap<>();
    private final LinkedBlockingQueue<Line> said = new LinkedBlockingQueue<>();
    /** What was said in this round. */
    private final List<String> story = new ArrayList<>();

    private Reports reports;

    @AfterEach
    void end() throws Exception {
        nodes.values().forEach(ChildJvm::end);
        reports.stop();
    }

    private void start(Path directory) throws Exception {
        reports = new Reports(Files.createDirectories(directory.resolve("reports")));
        String peers = addresses.entrySet().stream()
                .map(address -> address.getKey() + "=" + address.getValue())
                .collect(Collectors.joining(","));
        for (String node : addresses.keySet()) {
            List<String> arguments = Stream.concat(
                            Stream.of(node, peers, directory.resolve(node).toString()), reports.addresses().stream())
                    .toList();
            nodes.put(
                    node,
                    ChildJvm.start(
                            node,
                            ChildJvm.Command.of(FencedNode.class, arguments, ChildJvm.SMALL),
                            directory.resolve(node + ".log"),
                            text -> said.add(new Line(node, text))));
        }
    }

    private String describe() {
        return "\n" + String.join("\n", story)
                + nodes.values().stream()
                        .map(each -> "\n" + each.describe(List.of()))
                        .collect(Collectors.joining());
    }

    /** Hears what this node says, up to a line like this. */
    private String await(String node, Predicate<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            Line line = said.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("not within " + DEADLINE_SECONDS + " s from " + node + describe());
            }
            story.add(line.node + " " + line.text);
            if (line.node.equals(node) && wanted.test(line.text)) {
                return line.text;
            }
        }
    }

    private String ask(String node, String command, String answer) throws InterruptedException {
        nodes.get(node).send(command);
        return await(node, text -> text.startsWith(answer) || text.equals("does not lead"));
    }

    /** A leader that has begun its work. */
    private record Working(String node, long token) {}

    /** Waits for a leader among these, which takes its token. */
    private Working begin(List<String> candidates) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (System.nanoTime() - deadline < 0) {
            for (String node : candidates) {
                String answer = ask(node, "work", "works ");
                if (answer.startsWith("works ")) {
                    return new Working(node, Long.parseLong(answer.substring("works ".length())));
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("nobody leads of " + candidates + describe());
    }

    /** A voter that was stopped supports nobody for a while: the next stop must not cost the majority. */
    private void awaitSupport() throws InterruptedException {
        for (String node : nodes.keySet()) {
            while (!ask(node, "supporters", "supporters ").equals("supporters 3")) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    /** The outcomes of its writes, by what it wrote to. */
    private Map<String, String> written(String node) throws InterruptedException {
        int before = story.size();
        await(node, "written"::equals);
        return story.subList(before, story.size()).stream()
                .filter(line -> line.matches(node + " (database|server|file) .*"))
                .map(line -> line.substring(node.length() + 1).split(" ", 3))
                .collect(Collectors.toMap(
                        words -> words[0] + " " + words[1], words -> words[2], (a, b) -> a + b, TreeMap::new));
    }

    private static Map<String, String> outcomes(String fenced, String plain) {
        Map<String, String> outcomes = new TreeMap<>();
        KINDS.forEach(kind -> {
            outcomes.put(kind + " fenced", fenced);
            outcomes.put(kind + " plain", plain);
        });
        return outcomes;
    }

    private void round() throws Exception {
        story.clear();
        Working former = begin(List.copyOf(nodes.keySet()));
        nodes.get(former.node).pause();
        Working next = begin(nodes.keySet().stream()
                .filter(node -> !node.equals(former.node))
                .toList());
        assertThat(next.token).isGreaterThan(former.token);
        nodes.get(next.node).send("write");
        assertThat(written(next.node))
                .as(this::describe)
                .isEqualTo(outcomes("wrote " + next.token, "wrote " + next.token));
        nodes.get(former.node).resume();
        // It goes on where it stood.
        nodes.get(former.node).send("write");
        assertThat(written(former.node))
                .as(this::describe)
                .isEqualTo(outcomes("refused " + former.token + " " + next.token, "wrote " + former.token));
        assertThat(reports.of("fenced")).as(this::describe).containsOnly(Long.toString(next.token));
        assertThat(reports.of("plain")).as(this::describe).containsOnly(Long.toString(former.token));
        awaitSupport();
    }

    private void rounds(int count, Path directory) throws Exception {
        long begin = System.nanoTime();
        start(directory);
        begin(List.copyOf(nodes.keySet()));
        awaitSupport();
        for (int i = 0; i < count; i++) {
            round();
        }
        System.out.printf(
                "Late writes of stopped leaders: %d of %d refused by each guard, %d let through without it, in %d s%n",
                count, count, count, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    }

    @RealTime
    @Test
    void aLateWriteIsRefused(@TempDir Path directory) throws Exception {
        rounds(FEW, directory);
    }

    @Test
    @Tag("nemesis")
    void lateWritesOfAHundredStoppedLeadersAreRefused(@TempDir Path directory) throws Exception {
        rounds(MANY, directory);
    }
}
