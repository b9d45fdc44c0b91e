package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Histogram;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes and goes leaves nothing behind. Counted by object on the heap, which is exact, and in virtual time. */
class BoundsTest {

    private static final long MILLI = 1_000_000;

    /** A million in the suite "storms". */
    private static final int LATCHES = 50_000;

    /** Buffers and tables that once had to be larger; of a million latches, one that leaves a byte behind is more. */
    private static final long LEFT_BYTES_MAX = 200_000;

    private static long own() {
        return Histogram.take()
                .where(name -> name.contains("io.quorate.") && !name.contains("io.quorate.testkit."))
                .bytes();
    }

    /** One voter, alone: it needs nobody else. */
    private static final class Alone {
        private final Node node = new Node(
                new NodeSettings(
                        "test",
                        N1,
                        List.of(N1),
                        new LeaseTiming(200 * MILLI, 1000 * MILLI, 10),
                        new Timing(20 * MILLI),
                        RankOrder.JOIN_ORDER,
                        0,
                        false),
                new HighestUp(),
                new Birth(1, 0, true),
                (min, max) -> min);
        private final List<Tenure> granted = new ArrayList<>();
        private long now;

        private Alone() {
            perform(node.start(0));
            for (int i = 0; i < 4; i++) {
                now += 500 * MILLI;
                step(NodeEvent.Wake.INSTANCE);
            }
        }

        private void step(NodeEvent event) {
            perform(node.step(now, event));
            while (node.nextWake() - now <= 0) {
                perform(node.step(now, NodeEvent.Wake.INSTANCE));
            }
        }

        private void perform(List<NodeEffect> effects) {
            for (NodeEffect effect : effects) {
                if (effect instanceof NodeEffect.ReserveTerms reserve) {
                    perform(node.step(now, new NodeEvent.TermsReserved(reserve.upTo())));
                } else if (effect instanceof NodeEffect.Granted grant) {
                    granted.add(grant.tenure());
                }
            }
        }
    }

    @Test
    void latchesOnChangingPathsLeaveNothing() {
        openAndClose(LATCHES);
    }

    @Test
    @Tag("storms")
    void aMillionLatchesOnChangingPathsLeaveNothing() {
        openAndClose(1_000_000);
    }

    private static void openAndClose(int latches) {
        Alone alone = new Alone();
        Deque<Integer> open = new ArrayDeque<>();
        long before = 0;
        int led = 0;
        for (int i = 1; i <= latches; i++) {
            alone.now += 20_000;
            alone.step(new NodeEvent.Contend("/latch/" + i, i, "one"));
            open.add(i);
            if (open.size() > 100) {
                alone.step(new NodeEvent.Withdraw(open.remove()));
            }
            if (i == 2_000) {
                before = own();
            }
            led += alone.granted.size();
            alone.granted.clear();
        }
        assertThat(led).as("latches that led").isEqualTo(latches);
        assertThat(alone.node.pageCount()).isEqualTo(100);
        assertThat(alone.node.pendingTimers()).isLessThan(500);
        assertThat(own() - before).isLessThan(LEFT_BYTES_MAX);
        assertThat(alone.node.describe())
                .as("it is alive while that is counted")
                .contains("leads 100 paths");
    }

    // Paths, contenders, observers and elections of three nodes; leaders that resign, and one that dies.
    @Test
    void threeNodesKeepNothingAfterTheirWork() {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 3, new HighestUp());
        List<NodeId> voters = Contexts.VOTERS;
        cluster.advance(1500);
        long before = 0;
        for (int round = 0; round < 12; round++) {
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                numbers.add(cluster.contend(voters.get(i % 3), "/round/" + round + "/" + i / 3));
                cluster.step(voters.get((i + 1) % 3), new NodeEvent.WatchPath("/watched/" + round + "/" + i, true));
            }
            cluster.advance(300);
            for (int i = 0; i < 150; i++) {
                cluster.resign(voters.get(i % 3), numbers.get(i));
            }
            cluster.advance(100);
            for (int i = 0; i < 150; i++) {
                cluster.withdraw(voters.get(i % 3), numbers.get(i));
                cluster.step(voters.get((i + 1) % 3), new NodeEvent.WatchPath("/watched/" + round + "/" + i, false));
            }
            cluster.advance(300);
            if (round == 5) {
                before = own();
            }
        }
        cluster.advance(3000);
        for (NodeId voter : voters) {
            assertThat(cluster.node(voter).pageCount()).as("pages of %s", voter).isZero();
            assertThat(cluster.node(voter).pendingTimers())
                    .as("timers of %s", voter)
                    .isLessThan(20);
        }
        assertThat(own() - before).isLessThan(LEFT_BYTES_MAX);
        assertThat(cluster.describe()).contains("leads 0 paths");
    }

    @Test
    void fiveThousandNodesThatDieLeaveNothing() {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 4, new HighestUp());
        cluster.advance(1500);
        long before = own();
        for (int i = 0; i < 5_000; i++) {
            NodeId pod = new NodeId("pod-" + i);
            for (NodeId voter : Contexts.VOTERS) {
                cluster.inject(
                        pod,
                        1_000,
                        voter,
                        new Heartbeat(1, 0, 1, Optional.empty(), true, true, 0, cluster.configHash(), false, -1));
                cluster.inject(pod, 1_000, voter, new Claim("/of/" + pod, 1, 1));
            }
            cluster.advance(30);
        }
        cluster.advance(15_000);
        for (NodeId voter : Contexts.VOTERS) {
            assertThat(cluster.node(voter).nodesKnown()).isEqualTo(2);
            assertThat(cluster.node(voter).pageCount()).isZero();
        }
        assertThat(own() - before).isLessThan(LEFT_BYTES_MAX);
        assertThat(cluster.clock(N1).nanoTime()).isNotZero();
    }
}
