package io.quorate.bench;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quorate.ClientMonitor;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.ops.FlightEvents;
import io.quorate.ops.QuorateMeters;
import io.quorate.testkit.FreePorts;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jdk.jfr.Recording;

/**
 * What meters and a flight recording cost: three nodes of one JVM, alternately with and without, so that whatever else
 * happens on the machine happens to both. Prints the median of the ratios of neighbours, with their quartiles: of a
 * hand-over, of the processor time of idle nodes, of the heap per latch.
 *
 * <p>{@code args}: {@code handover}, {@code idle} or {@code heap}, and the number of pairs; for {@code idle} and
 * {@code heap} also the number of paths. {@code only=meters} and {@code only=events} leave the other out. {@code only=nothing} is
 * a monitor that does nothing, and {@code only=noise} compares nothing with nothing.
 */
public final class MonitorCost implements AutoCloseable {

    private static final int NODES = 3;
    private static final int HANDOVERS = 200;
    private static final int IDLE_SECONDS = 50;
    private static final int SETTLING_SECONDS = 3;
    private static final long DEADLINE_SECONDS = 10;

    private final List<ElectionClient> clients = new ArrayList<>();
    private final Recording recording = new Recording();
    private final String only;
    private Runnable end = () -> {};

    private MonitorCost(String only) {
        this.only = only;
        Map<String, String> peers = new LinkedHashMap<>();
        for (int i = 1; i <= NODES; i++) {
            peers.put("n" + i, "127.0.0.1:" + FreePorts.take());
        }
        peers.keySet()
                .forEach(id -> clients.add(
                        ElectionClient.builder().nodeId(id).peers(peers).build()));
        clients.forEach(ElectionClient::start);
        recording.start();
    }

    /** See the class. */
    public static void main(String[] args) throws Exception {
        String only = Arrays.stream(args)
                .filter(each -> each.startsWith("only="))
                .map(each -> each.substring("only=".length()))
                .findFirst()
                .orElse("");
        int pairs = Integer.parseInt(args[1]);
        try (MonitorCost cost = new MonitorCost(only)) {
            switch (args[0]) {
                case "handover" -> cost.handover(pairs);
                case "idle" -> cost.idle(pairs, Integer.parseInt(args[2]));
                case "heap" -> cost.heap(pairs, Integer.parseInt(args[2]));
                default -> throw new IllegalArgumentException("args: must begin with handover, idle or heap");
            }
        }
    }

    // ---------------------------------------------------------------- with and without

    private void with() {
        List<Runnable> ends = new ArrayList<>();
        for (ElectionClient client : clients) {
            if (only.equals("nothing")) {
                ClientMonitor nothing = new ClientMonitor() {};
                client.addMonitor(nothing);
                ends.add(() -> client.removeMonitor(nothing));
            }
            if (only.isEmpty() || only.equals("meters")) {
                PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
                QuorateMeters meters = new QuorateMeters(client);
                meters.bindTo(registry);
                ends.add(meters::close);
            }
            if (only.isEmpty() || only.equals("events")) {
                FlightEvents events = new FlightEvents(client.nodeId());
                client.addMonitor(events);
                ends.add(() -> client.removeMonitor(events));
            }
        }
        end = () -> ends.forEach(Runnable::run);
    }

    private void without() {
        end.run();
        end = () -> {};
    }

    /** What is measured. */
    @FunctionalInterface
    private interface Measured {
        double measure() throws Exception;
    }

    private void pairs(int count, String unit, Measured measured) throws Exception {
        List<Double> ratios = new ArrayList<>();
        List<Double> plain = new ArrayList<>();
        List<Double> watched = new ArrayList<>();
        // The first pair warms up.
        for (int pair = 0; pair <= count; pair++) {
            // Each comes first as often as the other.
            boolean isWithFirst = pair % 2 == 0;
            double first = measured(isWithFirst, measured);
            double second = measured(!isWithFirst, measured);
            if (pair > 0) {
                watched.add(isWithFirst ? first : second);
                plain.add(isWithFirst ? second : first);
                ratios.add(watched.get(pair - 1) / plain.get(pair - 1));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "with %s: %.1f, without: %.1f %s; ratio %.4f (%.4f to %.4f), %d pairs%n",
                only.isEmpty() ? "meters and events" : only,
                quantile(watched, 0.5),
                quantile(plain, 0.5),
                unit,
                quantile(ratios, 0.5),
                quantile(ratios, 0.25),
                quantile(ratios, 0.75),
                count);
    }

    private double measured(boolean isWith, Measured measured) throws Exception {
        if (isWith) {
            with();
        }
        // What was just added or removed has settled.
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        try {
            return measured.measure();
        } finally {
            without();
        }
    }

    private static double quantile(List<Double> values, double part) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) Math.round(part * (sorted.size() - 1)));
    }

    // ---------------------------------------------------------------- what it costs

    private void handover(int pairs) throws Exception {
        Semaphore led = new Semaphore(0);
        List<LeaderLatch> latches = new ArrayList<>();
        for (ElectionClient client : clients.subList(0, 2)) {
            LeaderLatch latch = new LeaderLatch(client, "/bench/handover", client.nodeId());
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    led.release();
                }

                @Override
                public void notLeader() {
                    // The other one says that it leads.
                }
            });
            latch.start();
            latches.add(latch);
        }
        pairs(pairs, "us", () -> {
            List<Double> times = new ArrayList<>();
            while (times.size() < HANDOVERS) {
                LeaderLatch leader = latches.get(latches.get(0).hasLeadership() ? 0 : 1);
                LeaderLatch next = latches.get(leader.equals(latches.get(0)) ? 1 : 0);
                led.drainPermits();
                long begun = System.nanoTime();
                if (isTransferred(leader, next.getId()) && led.tryAcquire(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                    times.add((System.nanoTime() - begun) / 1e3);
                }
            }
            return quantile(times, 0.5);
        });
    }

    /** Not if the other one does not contend again yet, or this one does not lead any more. */
    private static boolean isTransferred(LeaderLatch leader, String next) throws InterruptedException {
        try {
            leader.transferTo(next).toCompletableFuture().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            TimeUnit.MILLISECONDS.sleep(1);
            return false;
        }
    }

    private void open(int paths) throws Exception {
        List<LeaderLatch> latches = new ArrayList<>();
        for (int path = 0; path < paths; path++) {
            for (ElectionClient client : clients) {
                LeaderLatch latch = new LeaderLatch(client, "/bench/latch/" + path, client.nodeId());
                latch.start();
                latches.add(latch);
            }
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60 * DEADLINE_SECONDS);
        while (latches.stream().filter(LeaderLatch::hasLeadership).count() < paths) {
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException("not all of " + paths + " paths are led");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        TimeUnit.SECONDS.sleep(5);
    }

    private void idle(int pairs, int paths) throws Exception {
        open(paths);
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        pairs(pairs, "ms of processor time per second and node", () -> {
            long before = system.getProcessCpuTime();
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            return (system.getProcessCpuTime() - before) / 1e6 / IDLE_SECONDS / NODES;
        });
    }

    private void heap(int pairs, int paths) throws Exception {
        long empty = used();
        open(paths);
        pairs(pairs, "bytes per latch", () -> (double) (used() - empty) / paths / NODES);
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Override
    public void close() {
        without();
        recording.close();
        clients.forEach(ElectionClient::close);
    }
}
