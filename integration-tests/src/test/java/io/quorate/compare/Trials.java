package io.quorate.compare;

import io.quorate.compare.NodeHandle.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What is done with a deployment to measure something. All of it is the same for both sides. */
final class Trials {

    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    private static final long POLL_MILLIS = 5;
    /** After a fault: all that was stale has been seen by then. */
    static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Ten session time-outs or support times would do. */
    private static final long REJOIN_NANOS = TimeUnit.SECONDS.toNanos(20);
    static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);

    /**
     * How often, and how long.
     *
     * @param repetitions of what takes about a second
     * @param cuts        of each way to cut the network
     * @param handOvers   of what takes milliseconds, after a fifth as many to warm up
     * @param seconds     of idling
     * @param settling    how many seconds before that are not counted: compiling what came before is not idling
     * @param cost        how often the cost of a call is measured, for {@link LatchCost#ITERATION_MILLIS} each
     */
    record Extent(int repetitions, int cuts, int handOvers, int seconds, int settling, int cost) {
    }

    private final Timeline timeline;
    private final Deployment deployment;
    private final Sink sink;
    private final Extent extent;
    private final Random random;

    /** @param name for the timeline */
    Trials(String name, Deployment deployment, Sink sink, Extent extent, Random random) {
        this.timeline = new Timeline(deployment.side(), name);
        this.deployment = deployment;
        this.sink = sink;
        this.extent = extent;
        this.random = random;
    }

    /** What happened, as far as the trials so far tell. */
    Timeline timeline() {
        return timeline;
    }

    Deployment deployment() {
        return deployment;
    }

    Sink sink() {
        return sink;
    }

    Extent extent() {
        return extent;
    }

    // ---------------------------------------------------------------- one latch

    /** What every trial but {@link #coldStart} begins with. */
    void connect() {
        deployment.startAll();
    }

    /** From nothing to a leader. */
    void coldStart() {
        long begin = System.nanoTime();
        deployment.startServers();
        for (NodeHandle node : deployment.nodes) {
            deployment.start(node);
            node.send("open /cold");
        }
        Event leader = deployment.events.awaitLeader("/cold", begin);
        sink.add(Metric.COLD_START, (leader.nanos() - begin) / SECOND);
        for (NodeHandle node : deployment.nodes) {
            node.answer();
            node.answer();
        }
    }

    /** New paths on a connected client. */
    void start() {
        NodeHandle node = deployment.nodes.get(0);
        int warmUp = extent.handOvers / 5;
        for (int i = 0; i < warmUp + extent.handOvers; i++) {
            String path = "/start" + i;
            long begin = node.askNumbers("open " + path)[0];
            long led = deployment.events.awaitLeader(path, begin).nanos();
            if (i >= warmUp) {
                sink.add(Metric.START, (led - begin) / MILLI);
            }
            node.ask("close " + path);
            deployment.events.clear();
        }
    }

    void handOver() {
        NodeHandle leader = contend("/hand-over").node();
        int warmUp = extent.handOvers / 5;
        for (int i = 0; i < warmUp + extent.handOvers; i++) {
            long closed = leader.askNumbers("close /hand-over")[0];
            Event next = deployment.events.awaitLeader("/hand-over", closed);
            if (i >= warmUp) {
                sink.add(Metric.HAND_OVER, (next.nanos() - closed) / MILLI);
            }
            leader.ask("open /hand-over");
            leader = next.node();
            awaitContenders(leader, "/hand-over");
            deployment.events.clear();
        }
    }

    void crash() {
        Event leader = contend("/crash");
        for (int i = 0; i < extent.repetitions; i++) {
            sleepAboutDetection();
            leader = deployment.events.lastLeader("/crash");
            long killed = leader.node().process().kill();
            timeline.done(leader.node(), "SIGKILL", killed);
            timeline.believed(leader.node(), leader.nanos(), killed);
            Event next = deployment.events.awaitLeader("/crash", killed);
            sink.add(Metric.CRASH, (next.nanos() - killed) / MILLI);
            rejoin(leader.node(), "/crash");
            leader = next;
            awaitRejoined(leader.node(), "/crash");
        }
        timeline.believed(leader.node(), leader.nanos(), System.nanoTime());
    }

    /** The leader is asked every millisecond. */
    void voterCrash() {
        NodeHandle leader = contend("/voter-crash").node();
        for (int i = 0; i < extent.repetitions; i++) {
            leader.ask("poll /voter-crash");
            sleepAboutDetection();
            long killed = deployment.killVoter(leader);
            sleep(2L * deployment.settings.detectionMillis());
            long no = leader.askNumbers("answers " + killed)[1];
            if (no == 0) {
                sink.add(Metric.VOTER_CRASH, 0);
            } else {
                Event next = deployment.events.awaitLeader("/voter-crash", no);
                sink.add(Metric.VOTER_CRASH, (next.nanos() - no) / MILLI);
                leader = next.node();
            }
            deployment.restoreVoter();
            for (NodeHandle node : deployment.nodes) {
                if (node.ask("has /voter-crash").equals("false")) {
                    node.ask("open /voter-crash");
                }
            }
            awaitRejoined(leader, "/voter-crash");
        }
    }

    void pause() {
        Event leader = contend("/pause");
        for (int i = 0; i < extent.repetitions; i++) {
            NodeHandle node = leader.node();
            node.ask("poll /pause");
            sleepAboutDetection();
            long stopped = node.process().stop();
            sleep(3L * deployment.settings.detectionMillis());
            long wentOn = node.process().goOn();
            timeline.done(node, "SIGSTOP", stopped);
            timeline.done(node, "SIGCONT", wentOn);
            timeline.believed(node, leader.nanos(), stopped);
            leader = deployment.events.awaitLeader("/pause", stopped);
            sleepUntil(System.nanoTime() + SETTLED_NANOS);
            long[] answer = node.askNumbers("answers " + wentOn);
            sink.add(Metric.PAUSE_ANSWERS, answer[0]);
            sink.add(Metric.PAUSE_STALE, answer[0] == 0 ? 0 : (answer[1] - wentOn) / MILLI);
            if (answer[0] > 0) {
                timeline.believed(node, wentOn, answer[1]);
            }
            awaitRejoined(leader.node(), "/pause");
        }
        timeline.believed(leader.node(), leader.nanos(), System.nanoTime());
    }

    /** The same time idle, and with more busy threads than there are processors. */
    void stability() {
        String path = "/stability";
        contend(path);
        sink.add(Metric.LOST_IDLE, lossesPerHour(path));
        List<Thread> busy = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            Thread thread = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            }, "busy");
            thread.setDaemon(true);
            busy.add(thread);
            thread.start();
        }
        try {
            sink.add(Metric.LOST_LOADED, lossesPerHour(path));
        } finally {
            busy.forEach(Thread::interrupt);
        }
    }

    private double lossesPerHour(String path) {
        long begin = System.nanoTime();
        sleep(1000L * extent.seconds);
        return deployment.events.losses(path, begin) * 3600.0 / extent.seconds;
    }

    // ---------------------------------------------------------------- many latches

    /** One node leads them all, the others wait, nothing happens for a while, and the leader is killed. */
    void many(int latches) {
        NodeHandle leader = deployment.nodes.get(0);
        List<NodeHandle> waiters = deployment.nodes.subList(1, deployment.nodes.size());
        long[] before = leader.askNumbers("usage");
        long[] waiterBefore = waiters.get(0).askNumbers("usage");
        long begin = leader.askNumbers("openMany /many/p " + latches)[0];
        sink.add(Metric.ALL_LED, latches, (awaitLed(List.of(leader), latches) - begin) / SECOND);
        for (NodeHandle waiter : waiters) {
            waiter.ask("openMany /many/p " + latches);
        }
        for (NodeHandle waiter : waiters) {
            waiter.ask("settle");
        }
        settle();
        idle(latches);
        sink.add(Metric.HEAP_LEADER, latches, (leader.askNumbers("usage")[1] - before[1]) / (double) latches);
        sink.add(Metric.HEAP_WAITER, latches,
                (waiters.get(0).askNumbers("usage")[1] - waiterBefore[1]) / (double) latches);
        waiters.forEach(waiter -> waiter.ask("mark"));
        long killed = leader.process().kill();
        sink.add(Metric.TAKEN_OVER, latches, (awaitLed(waiters, latches) - killed) / SECOND);
    }

    /** Waits until so many latches of these nodes lead; answers when the last one came to. */
    private long awaitLed(List<NodeHandle> nodes, int latches) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
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
            sleep(POLL_MILLIS);
        }
    }

    private void idle(int latches) {
        Idling idling = Idling.measure(deployment, extent.seconds);
        sink.add(Metric.IDLE_CPU, latches, idling.cpuMillis() / deployment.nodes.size());
        sink.add(Metric.IDLE_BYTES, latches, idling.bytes());
        sink.add(Metric.THREADS, latches, ProcessUsage.threads(deployment.nodes.get(0).process().pid()));
    }

    /** What was done before may still be compiled, which is not idling. */
    void settle() {
        sleep(1000L * extent.settling);
        sink.settled(extent.settling);
    }

    // ---------------------------------------------------------------- helpers

    /** All nodes contend; answers the leader. */
    Event contend(String path) {
        long begin = System.nanoTime();
        deployment.nodes.forEach(node -> node.ask("open " + path));
        Event leader = deployment.events.awaitLeader(path, begin);
        awaitContenders(leader.node(), path);
        return leader;
    }

    private void rejoin(NodeHandle node, String path) {
        node.process().end();
        deployment.start(node);
        node.answer();
        node.ask("open " + path);
    }

    /**
     * Waits until all nodes contend. A latch of Curator may have left for good when its request met a server that just
     * died, although it is started and connected: that is counted, and all but the leader's are opened anew.
     */
    void awaitRejoined(NodeHandle leader, String path) {
        boolean isComplete = seesAll(leader, path, REJOIN_NANOS);
        sink.add(Metric.NOT_REJOINED, isComplete ? 0 : 1);
        if (isComplete) {
            return;
        }
        for (NodeHandle node : deployment.nodes) {
            if (node != leader) {
                node.ask("close " + path);
                node.ask("open " + path);
            }
        }
        awaitContenders(leader, path);
    }

    private void awaitContenders(NodeHandle leader, String path) {
        if (!seesAll(leader, path, DEADLINE_NANOS)) {
            throw new IllegalStateException("not all contend for " + path);
        }
    }

    private boolean seesAll(NodeHandle leader, String path, long nanosMax) {
        long deadline = System.nanoTime() + nanosMax;
        while (!leader.ask("view " + path).endsWith(" " + deployment.nodes.size())) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            sleep(POLL_MILLIS);
        }
        return true;
    }

    /** So that what follows does not fall into step with heartbeats, pings and ticks. */
    void sleepAboutDetection() {
        int detection = deployment.settings.detectionMillis();
        sleep(detection + random.nextInt(detection));
    }

    void sleepUntil(long moment) {
        sleep(Math.max(0, TimeUnit.NANOSECONDS.toMillis(moment - System.nanoTime())));
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
