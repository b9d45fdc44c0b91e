package io.quorate.compare;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Many latches: one node leads them all, the others wait, nothing happens for a while, and the leader is killed. */
final class ManyTrial {

    private static final double SECOND = 1e9;
    private static final long POLL_MILLIS = 5;
    // Twice what Curator needs for ten thousand, and more than that for few.
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long WAIT_NANOS_EACH = TimeUnit.MILLISECONDS.toNanos(30);
    /** Opened and closed before, so that the heap per latch has no classes in it. */
    private static final int WARM_UP = 200;

    private final Trials trials;
    private final Sink sink;
    private final List<NodeHandle> nodes;

    ManyTrial(Trials trials) {
        this.trials = trials;
        this.sink = trials.sink();
        this.nodes = trials.deployment().nodes;
    }

    void run(int latches) {
        warmUp();
        NodeHandle leader = nodes.get(0);
        List<NodeHandle> waiters = nodes.subList(1, nodes.size());
        long before = heap(leader);
        long waiterBefore = heap(waiters.get(0));
        sink.add(Metric.ALL_LED, latches, open("/many/p", latches) / SECOND);
        sink.add(Metric.NOT_CONTENDED, latches, areContended(latches) ? 0 : 1);
        trials.settle();
        idle(latches);
        sink.add(Metric.HEAP_LEADER, latches, (heap(leader) - before) / (double) latches);
        sink.add(Metric.HEAP_WAITER, latches, (heap(waiters.get(0)) - waiterBefore) / (double) latches);
        waiters.forEach(waiter -> waiter.ask("mark"));
        long killed = leader.process().kill();
        sink.add(Metric.TAKEN_OVER, latches, (awaitLed(waiters, latches) - killed) / SECOND);
        trials.restart(leader);
    }

    /** Each node leads some of them, and waits for others. */
    private void warmUp() {
        open("/warm-up/p", WARM_UP);
        areContended(WARM_UP);
        for (NodeHandle node : nodes) {
            node.ask("closeMany");
        }
        // What is left of the closed ones is gone a detection time later.
        Trials.sleep(trials.deployment().settings.detectionMillis() * 3L / 2);
    }

    /** The first node leads all when the others come; answers how long that took. */
    private long open(String prefix, int latches) {
        NodeHandle leader = nodes.get(0);
        long begin = leader.askNumbers("openMany " + prefix + " " + latches)[0];
        long led = awaitLed(List.of(leader), latches);
        for (NodeHandle waiter : nodes.subList(1, nodes.size())) {
            waiter.ask("openMany " + prefix + " " + latches);
        }
        return led - begin;
    }

    /** Whether all nodes contend for all, now or soon. */
    private boolean areContended(int latches) {
        String question = "awaitMany " + nodes.size() + " " + waitNanos(latches);
        return nodes.stream().allMatch(node -> node.ask(question).equals("true"));
    }

    private static long waitNanos(int latches) {
        return WAIT_NANOS + latches * WAIT_NANOS_EACH;
    }

    private static long heap(NodeHandle node) {
        return node.askNumbers("usage")[1];
    }

    /** Waits until so many latches of these nodes lead; answers when the last one came to. */
    private static long awaitLed(List<NodeHandle> nodes, int latches) {
        long deadline = System.nanoTime() + waitNanos(latches);
        while (true) {
            long led = 0;
            long last = 0;
            for (NodeHandle node : nodes) {
                long[] answer = node.askNumbers("led");
                led += answer[0];
                last = Math.max(last, answer[2]);
            }
            if (led >= latches) {
                return last;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(led + " of " + latches + " latches are led");
            }
            Trials.sleep(POLL_MILLIS);
        }
    }

    private void idle(int latches) {
        long lost = losses();
        Idling idling = Idling.measure(trials.deployment(), trials.extent().seconds());
        sink.add(Metric.LOST_MANY, latches, losses() - lost);
        sink.add(Metric.IDLE_CPU, latches, idling.cpuMillis() / nodes.size());
        sink.add(Metric.IDLE_BYTES, latches, idling.bytes());
        sink.add(
                Metric.THREADS,
                latches,
                ProcessUsage.threads(nodes.get(0).process().pid()));
    }

    private long losses() {
        return nodes.stream().mapToLong(node -> node.askNumbers("led")[3]).sum();
    }
}
