package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.quorate.ballot.BallotAlgorithm;
import io.quorate.core.message.NodeMessage;
import io.quorate.runtime.MessageCodec;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualCluster.Work;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/architecture.md#scale: what three nodes do to lead many paths, to take them over and to hand them over grows in
 * proportion to their number. Steps, messages and bytes are counted, and the memory that was asked for, which shows what
 * is copied again and again.
 */
class GrowthTest {

    /** What grows with its square grows with an exponent of 2; the rest is what does not grow at all. */
    private static final double EXPONENT_MAX = 1.1;

    private static final List<NodeId> NODES = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));

    /** What a phase has cost all nodes together. */
    private record Cost(long steps, long messages, long bytes, long largestStep, long allocated, long cpuNanos) {

        private static final Map<String, ToDoubleFunction<Cost>> PARTS = new LinkedHashMap<>();

        static {
            PARTS.put("steps", Cost::steps);
            PARTS.put("messages", Cost::messages);
            PARTS.put("bytes", Cost::bytes);
            PARTS.put("effects of the largest step", Cost::largestStep);
            PARTS.put("allocated bytes", Cost::allocated);
        }

        private Cost plus(Cost other) {
            return new Cost(
                    steps + other.steps,
                    messages + other.messages,
                    bytes + other.bytes,
                    Math.max(largestStep, other.largestStep),
                    allocated + other.allocated,
                    cpuNanos + other.cpuNanos);
        }

        @Override
        public String toString() {
            return String.format(
                    "%,11d steps %,11d messages %,14d bytes, largest step %,9d effects, %,7d MB allocated, %6.2f CPU s",
                    steps, messages, bytes, largestStep, allocated / 1_000_000, cpuNanos / 1e9);
        }
    }

    /** Three nodes that all contend on so many paths. */
    private static final class Paths {
        private final int count;
        private final ElectionAlgorithm algorithm = new BallotAlgorithm();
        private final VirtualCluster cluster = VirtualCluster.ofVoters(NODES.size(), 1, algorithm);
        private final MessageCodec codec = new MessageCodec(algorithm);
        private final Map<String, Cost> costs = new LinkedHashMap<>();
        /** The number of the contender of each node on the first path; those on the others follow. */
        private final Map<NodeId, Integer> first = new HashMap<>();

        private long messages;
        private long bytes;

        private Paths(int count) {
            this.count = count;
            // All that is to be done at one instant for each path.
            cluster.time().expect(60 * count);
            cluster.network(flight -> {
                messages++;
                if (flight.message() instanceof NodeMessage message) {
                    WireWriter out = new WireWriter();
                    codec.write(message, out);
                    bytes += out.length();
                }
            });
            cluster.advance(3_000);
        }

        private static String path(int i) {
            return "/growth/" + i;
        }

        private void phase(String name, Runnable begin, List<NodeId> leaders) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            NODES.forEach(cluster::takeWork);
            messages = 0;
            bytes = 0;
            long cpu = threads.getCurrentThreadCpuTime();
            long allocated = threads.getCurrentThreadAllocatedBytes();
            begin.run();
            int[] next = {0};
            cluster.await(count + " paths are led: " + name, 60_000, () -> {
                while (next[0] < count && isLedBy(path(next[0]), leaders)) {
                    next[0]++;
                }
                return next[0] == count;
            });
            // What follows from it, too: whoever starts is heard after its quarantine.
            cluster.advance(2_000);
            List<Work> work = NODES.stream().map(cluster::takeWork).toList();
            costs.put(
                    name,
                    new Cost(
                            work.stream().mapToLong(Work::steps).sum(),
                            messages,
                            bytes,
                            work.stream().mapToLong(Work::effectsMax).max().orElseThrow(),
                            threads.getCurrentThreadAllocatedBytes() - allocated,
                            threads.getCurrentThreadCpuTime() - cpu));
        }

        private boolean isLedBy(String path, List<NodeId> leaders) {
            return cluster.leader(path).filter(leaders::contains).isPresent();
        }

        /** All paths have one leader first, so that what follows is about all of them. */
        private NodeId startOneAfterTheOther() {
            phase("one starts", () -> contend(NODES.get(0)), NODES);
            phase("others start", () -> without(NODES.get(0)).forEach(this::contend), NODES);
            return NODES.get(0);
        }

        private Map<String, Cost> kill() {
            NodeId killed = startOneAfterTheOther();
            phase("one is killed", () -> cluster.crash(killed), without(killed));
            phase("it comes back", () -> restart(killed), without(killed));
            return costs;
        }

        private Map<String, Cost> close() {
            NodeId closed = startOneAfterTheOther();
            phase("one closes all", () -> withdraw(closed), without(closed));
            return costs;
        }

        private Map<String, Cost> startAtOnce() {
            phase("all start", () -> NODES.forEach(this::contend), NODES);
            return costs;
        }

        private static List<NodeId> without(NodeId one) {
            return NODES.stream().filter(node -> !node.equals(one)).toList();
        }

        private void contend(NodeId node) {
            for (int i = 0; i < count; i++) {
                int number = cluster.contend(node, path(i));
                first.putIfAbsent(node, number - i);
            }
        }

        private void restart(NodeId node) {
            cluster.start(node);
            first.remove(node);
            contend(node);
        }

        private void withdraw(NodeId node) {
            int number = first.get(node);
            for (int i = 0; i < count; i++) {
                cluster.withdraw(node, number + i);
            }
        }
    }

    private static void assertLinear(List<Integer> counts) {
        List<Cost> sums = new ArrayList<>();
        for (int count : counts) {
            Map<String, Cost> costs = new LinkedHashMap<>(new Paths(count).startAtOnce());
            costs.putAll(new Paths(count).kill());
            costs.putAll(new Paths(count).close());
            costs.forEach((phase, cost) -> System.out.printf("%,8d paths, %-14s %s%n", count, phase, cost));
            // How many paths two nodes claim at one moment is chance, and costs two to five messages for each of them.
            // So the phases are judged together: what grows faster than the others shows in their sum.
            sums.add(costs.values().stream().reduce(Cost::plus).orElseThrow());
        }
        int last = counts.size() - 1;
        double ratio = counts.get(last) / (double) counts.get(0);
        Cost.PARTS.forEach((name, part) -> {
            double growth = part.applyAsDouble(sums.get(last)) / part.applyAsDouble(sums.get(0));
            double exponent = Math.log(growth) / Math.log(ratio);
            System.out.printf(
                    "%s from %,d to %,d paths: exponent %.2f%n", name, counts.get(0), counts.get(last), exponent);
            assertThat(exponent)
                    .as("%s: exponent of the growth from %d to %d paths", name, counts.get(0), counts.get(last))
                    .isLessThanOrEqualTo(EXPONENT_MAX);
        });
    }

    @Test
    void costGrowsInProportionToThePaths() {
        assertLinear(List.of(500, 3_000));
    }

    @Test
    @Tag("storms")
    void costGrowsInProportionUpToAHundredThousandPaths() {
        assertLinear(List.of(1_000, 10_000, 100_000));
    }
}
