package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.quorate.ballot.BallotAlgorithm;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.PathView;
import io.quorate.runtime.MessageCodec;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.simulation.VirtualCluster;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/architecture.md#scale: many contenders on one path, which do not vote. What one of them costs does not depend on
 * their number, and a voter's cost grows with it in proportion at most.
 */
class CrowdTest {

    private static final String PATH = "/crowd";
    private static final List<NodeId> VOTERS = ids("n", 3);
    private static final int SECONDS = 6;
    /** Numbers above 127 take a byte more in each heartbeat: a twentieth of what it has. */
    private static final double TOLERANCE = 1.05;

    /** The most that voters tell in one message: Outbox.BATCH_BYTES_MAX. */
    private static final int LISTINGS_BYTES_MAX = 24 * 1024;

    /** Of one node and second. */
    private record Cost(double sent, double bytes, double steps) {

        Cost per(double divisor) {
            return new Cost(sent / divisor, bytes / divisor, steps / divisor);
        }

        boolean isAtMost(Cost other) {
            return sent <= other.sent && bytes <= other.bytes && steps <= other.steps;
        }

        @Override
        public String toString() {
            return String.format("%.1f messages sent, %.0f bytes, %.1f steps", sent, bytes, steps);
        }
    }

    /** What was seen of so many contenders. */
    private record Seen(
            int contenders, Cost idleVoter, Cost idleContender, Cost join, int largestMessage, long viewBytes) {}

    private static List<NodeId> ids(String prefix, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> new NodeId(prefix + i))
                .toList();
    }

    /** Voters, and contenders that each contend so many times on the one path. */
    private static final class Crowd {
        private final ElectionAlgorithm algorithm = new BallotAlgorithm();
        private final VirtualCluster cluster = new VirtualCluster(1, algorithm);
        private final MessageCodec codec = new MessageCodec(algorithm);
        private final List<NodeId> contenders;
        private final Map<NodeId, long[]> sent = new HashMap<>();
        private int largestMessage;

        /** @param named whom the settings of those name that only contend; one that does not vote is told by them */
        private Crowd(List<NodeId> contenders, int each, List<NodeId> named) {
            this.contenders = contenders;
            cluster.time().expect(100 * contenders.size() * contenders.size());
            cluster.network(flight -> {
                long[] counts = sent.computeIfAbsent(flight.from(), node -> new long[2]);
                counts[0]++;
                if (flight.message() instanceof NodeMessage message) {
                    WireWriter out = new WireWriter();
                    codec.write(message, out);
                    counts[1] += out.length();
                    largestMessage = Math.max(largestMessage, out.length());
                }
            });
            VOTERS.forEach(voter -> cluster.add(VirtualCluster.settings(voter, VOTERS)));
            contenders.stream()
                    .filter(node -> !VOTERS.contains(node))
                    .forEach(node -> cluster.add(settings(node, named)));
            VOTERS.forEach(cluster::start);
            cluster.advance(2_000);
            contenders.stream().filter(node -> !VOTERS.contains(node)).forEach(cluster::start);
            cluster.advance(1_000);
            forget();
            for (NodeId node : contenders) {
                for (int i = 0; i < each; i++) {
                    cluster.contend(node, PATH);
                }
            }
            int all = contenders.size() * each;
            cluster.await("all see all", 60_000, () -> contenders.stream().allMatch(node -> seenBy(node) == all));
        }

        private static NodeSettings settings(NodeId node, List<NodeId> named) {
            NodeSettings settings = VirtualCluster.settings(node, named);
            return named.equals(VOTERS) ? settings : settings.joining();
        }

        private int seenBy(NodeId node) {
            return cluster.view(node, PATH)
                    .map(PathView::contenders)
                    .map(List::size)
                    .orElse(0);
        }

        private void forget() {
            sent.clear();
            VOTERS.forEach(cluster::takeWork);
            contenders.forEach(cluster::takeWork);
        }

        private Cost of(NodeId node) {
            long[] counts = sent.getOrDefault(node, new long[2]);
            return new Cost(counts[0], counts[1], cluster.takeWork(node).steps());
        }

        /** Of whoever leads, who is answered at once, and all others there may be two costs: the greater one counts. */
        private Cost greatest(List<NodeId> nodes) {
            List<Cost> costs = nodes.stream().map(this::of).toList();
            return new Cost(
                    costs.stream().mapToDouble(Cost::sent).max().orElse(0),
                    costs.stream().mapToDouble(Cost::bytes).max().orElse(0),
                    costs.stream().mapToDouble(Cost::steps).max().orElse(0));
        }

        private Seen look() {
            Cost join = greatest(VOTERS).per(contenders.size());
            cluster.advance(4_000);
            forget();
            cluster.advance(SECONDS * 1000L);
            Cost voter = greatest(VOTERS).per(SECONDS);
            Cost contender = greatest(contenders).per(SECONDS);
            return new Seen(seenBy(contenders.get(0)), voter, contender, join, largestMessage, viewBytes());
        }

        /** What it takes to ask who contends. */
        private long viewBytes() {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            cluster.view(contenders.get(0), PATH);
            long before = threads.getCurrentThreadAllocatedBytes();
            cluster.view(contenders.get(0), PATH);
            return threads.getCurrentThreadAllocatedBytes() - before;
        }
    }

    private static void assertEachCostsTheSame(List<NodeId> named, List<Integer> counts) {
        List<Seen> all = new ArrayList<>();
        for (int count : counts) {
            Seen seen = new Crowd(ids("c", count), 1, named).look();
            System.out.printf(
                    "%4d contenders, each second: a contender %s; a voter %s; joining, a voter for each %s; largest message"
                            + " %d bytes%n",
                    count, seen.idleContender, seen.idleVoter, seen.join, seen.largestMessage);
            all.add(seen);
        }
        Seen few = all.get(0);
        Seen many = all.get(all.size() - 1);
        double ratio = many.contenders / (double) few.contenders;
        assertThat(many.idleContender.per(TOLERANCE))
                .as("%d contenders, cost of one and second", many.contenders)
                .matches(cost -> cost.isAtMost(few.idleContender), "at most " + few.idleContender);
        assertThat(many.idleVoter.per(TOLERANCE * ratio))
                .as("%d contenders, cost of a voter and second for each", many.contenders)
                .matches(cost -> cost.isAtMost(few.idleVoter), "at most " + few.idleVoter);
        assertThat(many.largestMessage).as("bytes of a message").isLessThan(LISTINGS_BYTES_MAX);
    }

    @Test
    void aContenderCostsTheSameHoweverManyThereAre() {
        assertEachCostsTheSame(VOTERS, List.of(20, 80));
    }

    // Each names one voter, is told of the others, and is named by nobody.
    @Test
    void aContenderThatJoinsCostsTheSameHoweverManyThereAre() {
        assertEachCostsTheSame(VOTERS.subList(0, 1), List.of(20, 80));
    }

    @Test
    @Tag("storms")
    void aContenderCostsTheSameAmongFiveHundred() {
        assertEachCostsTheSame(VOTERS, List.of(20, 100, 500));
    }

    @Test
    @Tag("storms")
    void aContenderThatJoinsCostsTheSameAmongFiveHundred() {
        assertEachCostsTheSame(VOTERS.subList(0, 1), List.of(20, 100, 500));
    }

    @Test
    void aThousandLatchesOnOnePathAreListedInProportion() {
        Seen few = new Crowd(VOTERS, 33, VOTERS).look();
        Seen many = new Crowd(VOTERS, 333, VOTERS).look();
        double ratio = many.contenders / (double) few.contenders;
        System.out.printf("99 latches on one path: %s%n999: %s%n", few, many);
        assertThat(many.join.bytes)
                .as("bytes that a voter sends while they join")
                .isLessThan(few.join.bytes * ratio * 1.2);
        assertThat(many.viewBytes).as("memory to ask who contends").isLessThan((long) (few.viewBytes * ratio * 1.2));
        assertThat(many.largestMessage).as("bytes of a message").isLessThan(LISTINGS_BYTES_MAX);
        assertThat(many.idleVoter.per(TOLERANCE))
                .as("afterwards")
                .matches(cost -> cost.isAtMost(few.idleVoter), "at most " + few.idleVoter);
    }
}
