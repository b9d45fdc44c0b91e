package com.example.attack;

import io.quorate.ClientMonitor;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.process.NodeMain;
import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A node in a JVM of its own. Upon each command it says what it thinks, until its input ends. */
final class AttackedNode {

    static final String PATH = "/attacked/leader";

    /** The command that only asks. */
    static final String STATE = "state";
    /** The command that makes a node busy. */
    static final String CHURN = "churn";
    /** What is logged if it does not stay busy. */
    static final String CHURN_ENDED = "churn ended: ";
    /** The command upon which a node collects its garbage, and says how much is left. */
    static final String WEIGH = "weigh";

    private AttackedNode() {}

    /** @param arguments a file of properties */
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        try (BufferedReader file = Files.newBufferedReader(Path.of(arguments[0]))) {
            properties.load(file);
        }
        try (ElectionClient client = ElectionClient.builder().from(properties).build()) {
            client.start();
            Map<String, Long> dropped = new ConcurrentSkipListMap<>();
            client.addMonitor(new ClientMonitor() {
                @Override
                public void framesDropped(String reason, long count) {
                    dropped.put(reason, count);
                }
            });
            LeaderLatch latch = new LeaderLatch(client, PATH, properties.getProperty("quorate.node-id"));
            AtomicInteger tenures = new AtomicInteger();
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    tenures.incrementAndGet();
                }

                @Override
                public void notLeader() {
                    // A tenure that has ended has begun.
                }
            });
            latch.start();
            NodeMain.obey(words -> {
                if (words[0].equals(CHURN)) {
                    churn(client);
                }
                // Asks the node's own thread, which does first what came before.
                latch.explain();
                boolean leads = latch.hasLeadership();
                NodeMain.say(String.format(
                        "%s %s %d %d %d %d %d %s",
                        words[0],
                        leads,
                        leads ? latch.fencingToken() : 0,
                        tenures.get(),
                        contenders(latch),
                        cpuNanos(),
                        words[0].equals(WEIGH) ? heapInUse() : 0,
                        dropped.toString().replace(" ", "")));
            });
        }
    }

    /** Latches come and go from now on, a hundred a second. */
    private static void churn(ElectionClient client) {
        Thread thread = new Thread(
                () -> {
                    try {
                        for (int i = 0; ; i++) {
                            try (LeaderLatch latch = new LeaderLatch(client, "/churn/" + i % 1_000)) {
                                latch.start();
                                Thread.sleep(10);
                            }
                        }
                    } catch (Exception e) {
                        // Justification: the client is closed, or this is a defect that the test has to see.
                        System.err.println(CHURN_ENDED + e);
                    }
                },
                "churn");
        thread.setDaemon(true);
        thread.start();
    }

    private static int contenders(LeaderLatch latch) {
        try {
            return latch.getParticipants().size();
        } catch (Exception e) {
            // Justification: getParticipants declares it; it is asked again.
            return 0;
        }
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }

    private static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
