package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What all processes of a deployment cost in a second in which nothing happens, and the sockets that they have. */
record Idling(double cpuMillis, double wakes, double bytes, double sockets) {

    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    static Idling measure(Deployment deployment, int forSeconds) {
        List<Long> pids = new ArrayList<>();
        deployment.nodes.forEach(node -> pids.add(node.process().pid()));
        deployment.servers().forEach(server -> pids.add(server.pid()));
        return measure(pids, forSeconds);
    }

    static Idling measure(List<Long> pids, int forSeconds) {
        List<Map<Long, Long>> before =
                pids.stream().map(ProcessUsage::cpuNanosOfThreads).toList();
        List<Map<Long, Long>> waits =
                pids.stream().map(ProcessUsage::waitsOfThreads).toList();
        long bytes = ProcessUsage.loopbackBytes();
        long begin = System.nanoTime();
        try {
            TimeUnit.SECONDS.sleep(forSeconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        double seconds = (System.nanoTime() - begin) / SECOND;
        long spent = 0;
        long woken = 0;
        for (int i = 0; i < pids.size(); i++) {
            spent += grown(before.get(i), ProcessUsage.cpuNanosOfThreads(pids.get(i)));
            woken += grown(waits.get(i), ProcessUsage.waitsOfThreads(pids.get(i)));
        }
        return new Idling(
                spent / MILLI / seconds,
                woken / seconds,
                (ProcessUsage.loopbackBytes() - bytes) / seconds,
                pids.stream().mapToLong(ProcessUsage::sockets).sum());
    }

    /** By how much what all threads have grew between the two; that of one which has ended is lost. */
    static long grown(Map<Long, Long> before, Map<Long, Long> after) {
        return after.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    /** What each of so many added to what there was without them. */
    Idling addedTo(Idling before, int count) {
        return new Idling(
                (cpuMillis - before.cpuMillis) / count,
                (wakes - before.wakes) / count,
                (bytes - before.bytes) / count,
                (sockets - before.sockets) / count);
    }
}
