package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.settings.NodeSettings;
import io.quorate.runtime.MessageCodec;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.simulation.VirtualCluster;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/reconfiguration.md#messages: what it costs, while nothing changes, that others came to vote before. */
class NumberedCostTest {

    private static final int SECONDS = 60;
    private static final List<NodeId> VOTERS = nodes(3);

    private static List<NodeId> nodes(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> new NodeId("n" + i))
                .toList();
    }

    /** Three voters and two nodes more, all of which contend on a path. */
    private static final class Quiet {
        private final BallotAlgorithm algorithm = new BallotAlgorithm();
        private final VirtualCluster cluster = new VirtualCluster(1, algorithm);
        private final MessageCodec codec = new MessageCodec(algorithm);
        private final Map<String, long[]> sent = new TreeMap<>();
        private long cpuNanos;

        private Quiet(boolean isNumbered) {
            for (NodeId node : nodes(5)) {
                NodeSettings settings = VirtualCluster.settings(node, VOTERS);
                cluster.add(VOTERS.contains(node) ? settings : settings.joining());
                cluster.start(node);
            }
            cluster.advance(2_500);
            if (isNumbered) {
                change(1, nodes(4));
                change(2, VOTERS);
            }
            nodes(5).forEach(node -> cluster.contend(node, "/path"));
            cluster.advance(10_000);
            assertThat(cluster.leader("/path")).isPresent();
            cluster.network(flight -> {
                if (flight.message() instanceof NodeMessage message) {
                    WireWriter out = new WireWriter();
                    codec.write(message, out);
                    long[] counts = sent.computeIfAbsent(message.getClass().getSimpleName(), kind -> new long[2]);
                    counts[0]++;
                    counts[1] += out.length();
                }
            });
        }

        private void change(long number, List<NodeId> wanted) {
            NodeId at = VOTERS.get(0);
            int before = cluster.changes(at).size();
            cluster.changeVoters(at, number, wanted);
            cluster.await("the change ends", 60_000, () -> cluster.changes(at).size() > before);
            assertThat(cluster.changes(at)).endsWith("done");
            cluster.advance(2_000);
        }

        private void run() {
            long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            cluster.advance(SECONDS * 1000);
            cpuNanos += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began;
        }

        private long count(String kind) {
            return sent.getOrDefault(kind, new long[2])[0];
        }

        private long bytes() {
            return sent.values().stream().mapToLong(counts -> counts[1]).sum();
        }
    }

    @Test
    void aHeartbeatIsEightBytesLongerAndNothingElseIsSent() {
        Quiet first = new Quiet(false);
        Quiet numbered = new Quiet(true);
        // In turns, so that whatever else this machine does befalls both.
        for (int turn = 0; turn < 10; turn++) {
            first.run();
            numbered.run();
        }
        long heartbeats = numbered.count("Heartbeat");
        System.out.printf(
                "%,d heartbeats under number 1 and %,d under number 3; bytes of all messages %,d and %,d (%.2f times);"
                        + " CPU of the simulation %.2f times%n",
                first.count("Heartbeat"),
                heartbeats,
                first.bytes(),
                numbered.bytes(),
                (double) numbered.bytes() / first.bytes(),
                (double) numbered.cpuNanos / first.cpuNanos);
        assertThat(numbered.sent.keySet()).isEqualTo(first.sent.keySet());
        first.sent.forEach((kind, counts) ->
                assertThat((double) numbered.count(kind)).as(kind).isBetween(0.98 * counts[0], 1.02 * counts[0] + 1));
        // The digest of the list, which the first one needs not.
        double more = (double) (numbered.bytes() - first.bytes()) / heartbeats;
        assertThat(more).isBetween(Long.BYTES - 0.5, Long.BYTES + 0.5);
    }
}
