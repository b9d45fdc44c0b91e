package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import io.quorate.testkit.RealTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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
    private static final List<String> KINDS = List.of("database", "server", "file");

    private final Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
    private final ChildJvms nodes = new ChildJvms();
    private Reports reports;

    @AfterEach
    void end() throws Exception {
        nodes.close();
        reports.stop();
    }

    private void start(Path directory) throws Exception {
        reports = new Reports(Files.createDirectories(directory.resolve("reports")));
        String peers = Cluster.peers(addresses);
        for (String node : addresses.keySet()) {
            List<String> arguments = Stream.concat(
                            Stream.of(node, peers, directory.resolve(node).toString()), reports.addresses().stream())
                    .toList();
            nodes.add(ChildJvm.start(
                    node,
                    ChildJvm.Command.of(FencedNode.class, arguments, ChildJvm.SMALL),
                    directory.resolve(node + ".log")));
        }
    }

    /** A leader that has begun its work. */
    private record Working(String node, long token) {}

    /** Waits for a leader among these, which takes its token. */
    private Working begin(List<String> candidates) {
        List<Working> leaders = new ArrayList<>();
        nodes.await("one leads of " + candidates, () -> {
            candidates.stream()
                    .map(node ->
                            new Working(node, Long.parseLong(nodes.get(node).ask("work"))))
                    .filter(each -> each.token > 0)
                    .findFirst()
                    .ifPresent(leaders::add);
            return !leaders.isEmpty();
        });
        return leaders.get(0);
    }

    /** Lets a node write. Returns the outcomes, by what it wrote to. */
    private Map<String, String> write(String node) {
        int before = nodes.get(node).said().size();
        nodes.get(node).ask("write");
        return nodes.get(node).said().stream()
                .skip(before)
                .filter(line -> line.matches("(database|server|file) .*"))
                .map(line -> line.split(" ", 3))
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
        Working former = begin(List.copyOf(addresses.keySet()));
        nodes.get(former.node).pause();
        Working next = begin(addresses.keySet().stream()
                .filter(node -> !node.equals(former.node))
                .toList());
        assertThat(next.token).isGreaterThan(former.token);
        assertThat(write(next.node))
                .as(nodes::describe)
                .isEqualTo(outcomes("wrote " + next.token, "wrote " + next.token));
        nodes.get(former.node).resume();
        // It goes on where it stood.
        assertThat(write(former.node))
                .as(nodes::describe)
                .isEqualTo(outcomes("refused " + former.token + " " + next.token, "wrote " + former.token));
        assertThat(reports.of("fenced")).as(nodes::describe).containsOnly(Long.toString(next.token));
        assertThat(reports.of("plain")).as(nodes::describe).containsOnly(Long.toString(former.token));
        nodes.awaitSupport(addresses.size());
    }

    private void rounds(int count, Path directory) throws Exception {
        long begin = System.nanoTime();
        start(directory);
        begin(List.copyOf(addresses.keySet()));
        nodes.awaitSupport(addresses.size());
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
