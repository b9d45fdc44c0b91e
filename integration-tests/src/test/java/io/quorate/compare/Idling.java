package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What all processes of a deployment cost in a second in which nothing happens, and the sockets that they have. */
record Idling(double cpuMillis, double bytes, double sockets) {

    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    static Idling measure(Deployment deployment, int forSeconds) {
        List<Long> pids = new ArrayList<>();
        deployment.nodes.forEach(node -> pids.add(node.process().pid()));
        deployment.servers().forEach(server -> pids.add(server.pid()));
        long cpu = pids.stream().mapToLong(ProcessUsage::cpuNanos).sum();
        long bytes = ProcessUsage.loopbackBytes();
        long begin = System.nanoTime();
        try {
            TimeUnit.SECONDS.sleep(forSeconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        double seconds = (System.nanoTime() - begin) / SECOND;
        long spent = pids.stream().mapToLong(ProcessUsage::cpuNanos).sum() - cpu;
        return new Idling(spent / MILLI / seconds, (ProcessUsage.loopbackBytes() - bytes) / seconds,
                pids.stream().mapToLong(ProcessUsage::sockets).sum());
    }

    /** What each of so many added to what there was without them. */
    Idling addedTo(Idling before, int count) {
        return new Idling((cpuMillis - before.cpuMillis) / count, (bytes - before.bytes) / count,
                (sockets - before.sockets) / count);
    }
}
