package io.quorate.bench;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quorate.ClientMonitor;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.ops.FlightEvents;
import io.quorate.ops.QuorateMeters;
import io.quorate.testkit.FreePorts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jdk.jfr.Recording;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a hand-over between two of three nodes of one JVM costs with meters, with a flight recording, and with a monitor
 * that does nothing. The heap per latch and the CPU time of idle nodes are trials of the comparison.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
public class MonitorCost {

    private static final int NODES = 3;
    private static final long DEADLINE_SECONDS = 60;

    @Param({"none", "nothing", "meters", "events"})
    String monitor;

    private final Semaphore led = new Semaphore(0);
    private final List<ElectionClient> clients = new ArrayList<>();
    private final List<LeaderLatch> latches = new ArrayList<>();
    private final Recording recording = new Recording();
    private LeaderLatch leader;
    private LeaderLatch next;

    @Setup(Level.Trial)
    public void start() throws Exception {
        Map<String, String> peers = new LinkedHashMap<>();
        for (int i = 1; i <= NODES; i++) {
            peers.put("n" + i, "127.0.0.1:" + FreePorts.take());
        }
        peers.keySet()
                .forEach(id -> clients.add(
                        ElectionClient.builder().nodeId(id).peers(peers).build()));
        clients.forEach(ElectionClient::start);
        recording.start();
        clients.forEach(this::watch);
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
        awaitLeader();
    }

    private void watch(ElectionClient client) {
        switch (monitor) {
            case "none" -> {}
            case "nothing" -> client.addMonitor(new ClientMonitor() {});
            case "meters" -> new QuorateMeters(client).bindTo(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
            case "events" -> client.addMonitor(new FlightEvents(client.nodeId()));
            default -> throw new IllegalArgumentException("monitor '" + monitor + "': must be a value of the @Param");
        }
    }

    /** One leads, and the other contends again. */
    @Setup(Level.Invocation)
    public void settle() throws Exception {
        do {
            leader = latches.get(latches.get(0).hasLeadership() ? 0 : 1);
            TimeUnit.MILLISECONDS.sleep(1);
        } while (!leader.hasLeadership() || leader.getParticipants().size() < latches.size());
        next = latches.get(leader.equals(latches.get(0)) ? 1 : 0);
        led.drainPermits();
    }

    @Benchmark
    public void handover() throws Exception {
        while (!isTransferred()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        awaitLeader();
    }

    /** Not if the other one does not contend again yet. */
    private boolean isTransferred() throws InterruptedException {
        try {
            leader.transferTo(next.getId()).toCompletableFuture().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private void awaitLeader() throws InterruptedException {
        if (!led.tryAcquire(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no node led within " + DEADLINE_SECONDS + " s");
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        clients.forEach(ElectionClient::close);
        recording.close();
    }
}
