package io.quorate.bench;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.compare.ProcessUsage;
import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import io.quorate.process.NodeMain;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What an idle cluster of three JVMs costs per node, for several numbers of latches: CPU time, bytes on the loopback
 * interface (of the whole machine: run it in a network namespace of its own for exact ones), heap after a collection,
 * threads. Every node contends on every path.
 */
public final class IdleCost {

    private static final int MEASURED_SECONDS = 20;

    private IdleCost() {}

    /** {@code args}: numbers of latches, default 0 1 1000 10000. With {@code node ...}, one of the nodes. */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("node")) {
            node(args[1], args[2], Integer.parseInt(args[3]));
            return;
        }
        System.out.printf(
                "%8s %12s %14s %14s %12s %8s %10s%n",
                "latches", "all led (ms)", "CPU ms/s node", "bytes/s (all)", "heap (kB)", "threads", "led by");
        List<String> counts = args.length > 0 ? List.of(args) : List.of("0", "1", "1000", "10000");
        for (String count : counts) {
            measure(Integer.parseInt(count));
        }
    }

    private static void measure(int latches) throws IOException, InterruptedException {
        Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
        Path log = Files.createTempFile("idle-cost", ".log");
        try (ChildJvms nodes = new ChildJvms()) {
            for (String id : addresses.keySet()) {
                nodes.add(ChildJvm.start(
                        id,
                        ChildJvm.Command.of(
                                IdleCost.class,
                                List.of("node", id, Cluster.peers(addresses), String.valueOf(latches)),
                                List.of("-Xmx512m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error")),
                        log));
            }
            report(latches, nodes);
        } finally {
            Files.delete(log);
        }
    }

    private static void report(int latches, ChildJvms nodes) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        nodes.await("all are led", () -> nodes.all().stream()
                .noneMatch(node -> node.said("led").isEmpty()));
        long led = System.nanoTime() - begin;
        TimeUnit.SECONDS.sleep(5);
        double cpuBefore = cpuNanos(nodes);
        long bytesBefore = ProcessUsage.loopbackBytes();
        TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
        double cpuAfter = cpuNanos(nodes);
        long bytes = ProcessUsage.loopbackBytes() - bytesBefore;
        List<String[]> heaps =
                nodes.all().stream().map(node -> node.ask("heap").split(" ")).toList();
        System.out.printf(
                "%8d %12d %14.1f %14d %12s %8s %10s%n",
                latches,
                led / 1_000_000,
                (cpuAfter - cpuBefore) / 1e6 / MEASURED_SECONDS / heaps.size(),
                bytes / MEASURED_SECONDS,
                heaps.stream().map(heap -> heap[0]).toList(),
                heaps.get(0)[1],
                heaps.stream().map(heap -> heap[2]).toList());
    }

    private static double cpuNanos(ChildJvms nodes) {
        return nodes.all().stream()
                .mapToDouble(node -> Double.parseDouble(node.ask("cpu")))
                .sum();
    }

    private static void node(String id, String peers, int latches) throws Exception {
        ElectionClient client = ElectionClient.builder().nodeId(id).peers(peers).build();
        client.start();
        List<LeaderLatch> open = new ArrayList<>();
        for (int i = 0; i < latches; i++) {
            LeaderLatch latch = new LeaderLatch(client, "/bench/latch/" + i, id);
            latch.start();
            open.add(latch);
        }
        client.blockUntilConnected();
        for (LeaderLatch latch : open) {
            while (latch.getLeader().getId().isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        NodeMain.say("led");
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        NodeMain.obeyToTheEnd(words -> {
            if (words[0].equals("cpu")) {
                NodeMain.say("cpu " + system.getProcessCpuTime());
            } else {
                System.gc();
                System.gc();
                long heap =
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
                long leading = open.stream().filter(LeaderLatch::hasLeadership).count();
                NodeMain.say("heap " + heap / 1024 + " " + Thread.activeCount() + " " + leading);
            }
        });
    }
}
