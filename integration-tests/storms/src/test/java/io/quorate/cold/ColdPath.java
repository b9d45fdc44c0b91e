package io.quorate.cold;

import com.sun.management.ThreadMXBean;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The first start of a latch, and the first hand-over, of a process: the production driver, codec and links in virtual
 * time, so each run does the same. Each phase ends by loading a class, by which the log of loaded classes can be cut.
 */
final class ColdPath {

    private static final String PATH = "/app/leader";

    private static final class Begun {}

    private static final class Led {}

    private static final class Closing {}

    private static final class Next {}

    private record Told(AtomicInteger count) implements LeaderLatchListener {
        @Override
        public void isLeader() {
            count.incrementAndGet();
        }

        @Override
        public void notLeader() {
            // It leads until the end.
        }
    }

    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ColdPath() {}

    private static void mark(Class<?> phase, SimulatedCluster cluster) {
        // To load it is what is wanted.
        String name = phase.getSimpleName();
        System.out.println(name + " " + cluster.framesSent() + " " + THREAD.getCurrentThreadAllocatedBytes() + " "
                + THREAD.getCurrentThreadCpuTime() / 1_000_000);
    }

    public static void main(String[] arguments) throws Exception {
        try (SimulatedCluster cluster = new SimulatedCluster(ClusterSettings.ofVoters(3))) {
            List<LeaderLatch> latches = new ArrayList<>();
            for (String node : cluster.nodes()) {
                ElectionClient client = cluster.client(node);
                latches.add(new LeaderLatch(client, PATH, node));
            }
            cluster.advance(Duration.ofSeconds(3));
            mark(Begun.class, cluster);
            latches.get(0).start();
            cluster.awaitUntil("the first leads", latches.get(0)::hasLeadership);
            mark(Led.class, cluster);
            AtomicInteger told = new AtomicInteger();
            for (LeaderLatch latch : latches.subList(1, latches.size())) {
                // The first has none: what a process needs to tell its listener is not used before the hand-over.
                latch.addListener(new Told(told));
                latch.start();
            }
            cluster.advance(Duration.ofSeconds(3));
            mark(Closing.class, cluster);
            latches.get(0).close();
            cluster.awaitUntil("the next is told", () -> told.get() == 1);
            mark(Next.class, cluster);
        }
    }
}
