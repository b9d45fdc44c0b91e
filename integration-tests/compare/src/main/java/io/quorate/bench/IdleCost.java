package io.quorate.bench;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.compare.ProcessUsage;
import io.quorate.testkit.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What an idle cluster of three JVMs costs per node, for several numbers of latches: CPU time, bytes on the loopback
 * interface (of the whole machine: run it in a network namespace of its own for exact ones), heap after a collection,
 * threads. Every node contends on every path.
 */
public final class IdleCost {

    private static final int NODES = 3;
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
        List<String> peers = new ArrayList<>();
        for (int i = 1; i <= NODES; i++) {
            peers.add("n" + i + "=127.0.0.1:" + FreePorts.take());
        }
        List<Process> nodes = new ArrayList<>();
        try {
            for (int i = 1; i <= NODES; i++) {
                nodes.add(new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx512m",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                                "-cp",
                                classPath(),
                                IdleCost.class.getName(),
                                "node",
                                "n" + i,
                                String.join(",", peers),
                                String.valueOf(latches))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            }
            report(latches, nodes);
        } finally {
            nodes.forEach(Process::destroyForcibly);
            for (Process node : nodes) {
                node.waitFor();
            }
        }
    }

    /** The class path, also where a build tool loaded this class with a loader of its own. */
    private static String classPath() {
        return System.getProperty("quorate.classpath", System.getProperty("java.class.path"));
    }

    private static void report(int latches, List<Process> nodes) throws IOException, InterruptedException {
        List<BufferedReader> outputs = nodes.stream()
                .map(p -> new BufferedReader(new InputStreamReader(p.getInputStream(), StandardCharsets.UTF_8)))
                .toList();
        List<PrintStream> inputs = nodes.stream()
                .map(p -> new PrintStream(p.getOutputStream(), true, StandardCharsets.UTF_8))
                .toList();
        long begin = System.nanoTime();
        for (BufferedReader output : outputs) {
            output.readLine();
        }
        long led = System.nanoTime() - begin;
        TimeUnit.SECONDS.sleep(5);
        inputs.forEach(input -> input.println("cpu"));
        double cpuBefore = sum(outputs);
        long bytesBefore = ProcessUsage.loopbackBytes();
        TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
        inputs.forEach(input -> input.println("cpu"));
        double cpuAfter = sum(outputs);
        long bytes = ProcessUsage.loopbackBytes() - bytesBefore;
        List<String> heaps = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            inputs.get(i).println("heap");
            heaps.add(outputs.get(i).readLine());
        }
        String[] first = heaps.get(0).split(" ");
        System.out.printf(
                "%8d %12d %14.1f %14d %12s %8s %10s%n",
                latches,
                led / 1_000_000,
                (cpuAfter - cpuBefore) / 1e6 / MEASURED_SECONDS / nodes.size(),
                bytes / MEASURED_SECONDS,
                heaps.stream().map(h -> h.split(" ")[0]).toList(),
                first[1],
                heaps.stream().map(h -> h.split(" ")[2]).toList());
    }

    private static double sum(List<BufferedReader> outputs) throws IOException {
        double sum = 0;
        for (BufferedReader output : outputs) {
            sum += Double.parseDouble(output.readLine());
        }
        return sum;
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
        System.out.println("led");
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            if (command.equals("cpu")) {
                System.out.println(system.getProcessCpuTime());
            } else {
                System.gc();
                System.gc();
                long heap =
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
                long leading = open.stream().filter(LeaderLatch::hasLeadership).count();
                System.out.println(heap / 1024 + " " + Thread.activeCount() + " " + leading);
            }
        }
        // The parent is gone.
        Runtime.getRuntime().halt(0);
    }
}
