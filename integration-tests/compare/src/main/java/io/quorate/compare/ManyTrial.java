package io.quorate.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Many latches. One node leads them all and the others wait; nothing happens for a while; the leader closes them all at
 * once; the next leader is killed.
 */
final class ManyTrial {

    private static final double SECOND = 1e9;
    private static final long POLL_MILLIS = 5;
    // Twice what Curator needs for ten thousand, and more than that for few.
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long WAIT_NANOS_EACH = TimeUnit.MILLISECONDS.toNanos(30);
    /** DecodedFrame and closed before, so that the heap per latch has no classes in it. */
    private static final int WARM_UP = 200;
    /** What was needed for the start only is unreachable by then. */
    private static final int HEAP_SETTLING = 2;

    private final Trials trials;
    private final Sink sink;
    private final List<NodeHandle> nodes;
    private final int latches;

    ManyTrial(Trials trials, int latches) {
        this.trials = trials;
        this.sink = trials.sink();
        this.nodes = trials.deployment().nodes;
        this.latches = latches;
    }

    /** @param isIdleMeasured whether what they cost while nothing happens is measured, after a long wait */
    void run(boolean isIdleMeasured) {
        warmUp();
        NodeHandle leader = nodes.get(0);
        List<NodeHandle> waiters = nodes.subList(1, nodes.size());
        long before = heap(leader);
        long waiterBefore = heap(waiters.get(0));
        Optional<Long> opened = open("/many/p", latches);
        measured(Metric.ALL_LED, opened);
        if (opened.isPresent()) {
            sink.add(Metric.NOT_CONTENDED, latches, areContended(latches) ? 0 : 1);
            idle(isIdleMeasured);
            sink.add(Metric.HEAP_LEADER, latches, (heap(leader) - before) / (double) latches);
            sink.add(Metric.HEAP_WAITER, latches, (heap(waiters.get(0)) - waiterBefore) / (double) latches);
        }
        // On a busy machine leadership may have moved since it was opened.
        NodeHandle closing = leader(nodes);
        List<NodeHandle> others = without(closing, nodes);
        if (opened.isEmpty() || !measured(Metric.CLOSED_MANY, closeAll(closing, others))) {
            // Without a loss, what was not done just needs more time.
            long lost = Progress.of(nodes).lost();
            if (opened.isPresent() || lost > 0) {
                sink.add(Metric.LEASES_LOST, latches, lost);
            }
            return;
        }
        NodeHandle next = leader(others);
        long lostByNext = Progress.of(List.of(next)).lost();
        measured(Metric.TAKEN_OVER, kill(next, without(next, others)));
        sink.add(
                Metric.LEASES_LOST,
                latches,
                lostByNext + Progress.of(without(next, nodes)).lost());
    }

    /** Who leads most of them. */
    private static NodeHandle leader(List<NodeHandle> among) {
        return among.stream()
                .max(Comparator.comparingLong(node -> Progress.of(List.of(node)).led()))
                .orElseThrow();
    }

    private static List<NodeHandle> without(NodeHandle one, List<NodeHandle> all) {
        return all.stream().filter(node -> node != one).toList();
    }

    /** Each node leads some of them, and waits for others. */
    private void warmUp() {
        if (open("/warm-up/p", WARM_UP).isEmpty()) {
            throw new IllegalStateException(WARM_UP + " latches are not led: " + Progress.of(nodes));
        }
        areContended(WARM_UP);
        for (NodeHandle node : nodes) {
            node.ask("closeMany");
        }
        // What is left of the closed ones is gone a detection time later.
        Trials.sleep(trials.deployment().settings.detectionMillis() * 3L / 2);
    }

    /** The first node leads all when the others come; answers how long that took. */
    private Optional<Long> open(String prefix, int count) {
        NodeHandle leader = nodes.get(0);
        long begin = leader.askNumbers("openMany " + prefix + " " + count)[0];
        Optional<Long> led = awaitLed(List.of(leader), count);
        if (led.isPresent()) {
            for (NodeHandle waiter : nodes.subList(1, nodes.size())) {
                waiter.ask("openMany " + prefix + " " + count);
            }
        }
        return led.map(at -> at - begin);
    }

    private Optional<Long> closeAll(NodeHandle leader, List<NodeHandle> waiters) {
        waiters.forEach(waiter -> waiter.ask("mark"));
        long begin = leader.askNumbers("closeAtOnce")[0];
        return awaitLed(waiters, latches).map(led -> led - begin);
    }

    /** @param others who contend besides it */
    private Optional<Long> kill(NodeHandle leader, List<NodeHandle> others) {
        others.forEach(other -> other.ask("mark"));
        long killed = leader.process().kill();
        return awaitLed(others, latches).map(led -> led - killed);
    }

    private List<NodeHandle> alive() {
        return nodes.stream().filter(node -> node.process().isAlive()).toList();
    }

    /** Whether it was done in time. */
    private boolean measured(Metric metric, Optional<Long> nanos) {
        nanos.ifPresentOrElse(
                took -> sink.add(metric, latches, took / SECOND),
                () -> sink.notDone(
                        metric,
                        latches,
                        (int) TimeUnit.NANOSECONDS.toSeconds(waitNanos(latches)),
                        OptionalLong.of(Progress.of(alive()).led())));
        return nanos.isPresent();
    }

    /** Whether all nodes contend for all, now or soon. */
    private boolean areContended(int count) {
        String question = "awaitMany " + nodes.size() + " " + waitNanos(count);
        return nodes.stream().allMatch(node -> node.ask(question).equals("true"));
    }

    private Optional<Long> awaitLed(List<NodeHandle> contenders, int count) {
        return Progress.awaitLed(contenders, count, waitNanos(count), POLL_MILLIS)
                .map(Progress::lastLed);
    }

    private long waitNanos(int count) {
        long nanos = WAIT_NANOS + count * WAIT_NANOS_EACH;
        return count <= Growth.LATCHES_MIN
                ? nanos
                : Math.min(nanos, TimeUnit.SECONDS.toNanos(trials.extent().limit()));
    }

    private static long heap(NodeHandle node) {
        return node.askNumbers("usage")[1];
    }

    private void idle(boolean isMeasured) {
        trials.settle(isMeasured ? trials.extent().settling() : HEAP_SETTLING);
        long before = Progress.of(nodes).losses();
        if (isMeasured) {
            trials.idling(latches);
            sink.add(
                    Metric.THREADS,
                    latches,
                    ProcessUsage.threads(nodes.get(0).process().pid()));
        } else {
            Trials.sleep(TimeUnit.SECONDS.toMillis(trials.extent().seconds()));
        }
        sink.add(Metric.LOST_MANY, latches, Progress.of(nodes).losses() - before);
    }
}
