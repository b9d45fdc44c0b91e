package io.quorate.compare;

import io.quorate.compare.NodeHandle.LatchReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What is done with a deployment to measure something. All of it is the same for both sides. */
final class Trials {

    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    /** After a fault: all that was stale has been seen by then. */
    static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** A start for so many hand-overs. */
    private static final int STARTED_EACH = 3;

    /** Longer than the processes go on with what they do beside their start. */
    private static final long FIRST_PAUSE_MILLIS = 1500;
    /** In seconds: the compilers of a JVM are still busy a minute after work. */
    private static final int IDLE_SETTLING = 90;

    private static final int IDLE_VALUES = 3;
    private static final int REJOIN_DETECTIONS = 10;
    static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);

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

    /** What every trial but {@link #calm} begins with, unless another one ran on the same processes. */
    void connect() {
        deployment.startAll();
    }

    /** Leaves nothing to the next trial on these processes but that they are warm. */
    void clear() {
        deployment.nodes.forEach(node -> node.ask("closeAll"));
        deployment.reports.clear();
    }

    void calm() {
        coldLeader("/cold");
        firstHandOver("/cold");
        clear();
        start();
        handOver();
    }

    void coldStart() {
        coldLeader("/cold");
        clear();
    }

    /** From nothing to a leader. */
    private void coldLeader(String path) {
        long begin = System.nanoTime();
        deployment.startServers();
        sink.add(Metric.COLD_START, (startNodes(path) - begin) / SECOND);
    }

    /** All contend at once; answers when the first one led. */
    private long startNodes(String path) {
        long begin = System.nanoTime();
        for (NodeHandle node : deployment.nodes) {
            deployment.start(node);
            node.send("open " + path);
        }
        long led = deployment.reports.awaitLeader(path, begin).nanos();
        for (NodeHandle node : deployment.nodes) {
            node.answer();
            node.answer();
        }
        return led;
    }

    /** Nothing of what runs then has run before. */
    private void firstHandOver(String path) {
        awaitContenders(deployment.reports.lastLeader(path).node(), path);
        sleep(FIRST_PAUSE_MILLIS);
        long closed = deployment.reports.lastLeader(path).node().askNumbers("close " + path)[0];
        LatchReport next = deployment.reports.awaitLeader(path, closed);
        sink.add(Metric.FIRST_HAND_OVER, (next.nanos() - closed) / MILLI);
    }

    /** New paths on a connected client. */
    void start() {
        NodeHandle node = deployment.nodes.get(0);
        int warmUp = extent.warmUp() / STARTED_EACH;
        for (int i = 0; i < warmUp + extent.handOvers() / STARTED_EACH; i++) {
            String path = "/start" + i;
            long begin = node.askNumbers("open " + path)[0];
            long led = deployment.reports.awaitLeader(path, begin).nanos();
            if (i >= warmUp) {
                sink.add(Metric.START, (led - begin) / MILLI);
            }
            node.ask("close " + path);
            deployment.reports.clear();
        }
    }

    void handOver() {
        NodeHandle leader = contend("/hand-over").node();
        for (int i = 0; i < extent.warmUp() + extent.handOvers(); i++) {
            long closed = leader.askNumbers("close /hand-over")[0];
            LatchReport next = deployment.reports.awaitLeader("/hand-over", closed);
            if (i >= extent.warmUp()) {
                sink.add(Metric.HAND_OVER, (next.nanos() - closed) / MILLI);
            }
            leader.ask("open /hand-over");
            leader = next.node();
            awaitContenders(leader, "/hand-over");
            deployment.reports.clear();
        }
    }

    void crash() {
        LatchReport leader = contend("/crash");
        for (int i = 0; i < extent.crashes(); i++) {
            sleepAboutDetection();
            leader = deployment.reports.lastLeader("/crash");
            long killed = leader.node().process().kill();
            timeline.done(leader.node(), "SIGKILL", killed);
            timeline.led(leader.node(), leader.nanos(), killed);
            LatchReport next = deployment.reports.awaitLeader("/crash", killed);
            sink.add(Metric.CRASH, (next.nanos() - killed) / MILLI);
            restart(leader.node());
            leader.node().ask("open /crash");
            leader = next;
            awaitRejoined(leader.node(), "/crash");
        }
        timeline.led(leader.node(), leader.nanos(), System.nanoTime());
    }

    /** The leader is asked every millisecond. */
    void voterCrash() {
        NodeHandle leader = contend("/voter-crash").node();
        for (int i = 0; i < extent.repetitions(); i++) {
            leader.ask("poll /voter-crash");
            sleepAboutDetection();
            long killed = deployment.killVoter(leader);
            sleep(2L * deployment.settings.detectionMillis());
            long no = leader.askNumbers("answers " + killed)[1];
            if (no == 0) {
                sink.add(Metric.VOTER_CRASH, 0);
            } else {
                LatchReport next = deployment.reports.awaitLeader("/voter-crash", no);
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
        LatchReport leader = contend("/pause");
        for (int i = 0; i < extent.repetitions(); i++) {
            NodeHandle node = leader.node();
            node.ask("poll /pause");
            sleepAboutDetection();
            long stopped = node.process().pause();
            sleep(3L * deployment.settings.detectionMillis());
            long wentOn = node.process().resume();
            timeline.done(node, "SIGSTOP", stopped);
            timeline.done(node, "SIGCONT", wentOn);
            timeline.led(node, leader.nanos(), stopped);
            leader = deployment.reports.awaitLeader("/pause", stopped);
            awaitRejoined(leader.node(), "/pause");
            sleepUntil(wentOn + SETTLED_NANOS);
            long[] answer = node.askNumbers("answers " + wentOn);
            sink.add(Metric.PAUSE_ANSWERS, answer[0]);
            sink.add(Metric.PAUSE_STALE, answer[0] == 0 ? 0 : (answer[1] - wentOn) / MILLI);
            if (answer[0] > 0) {
                timeline.led(node, wentOn, answer[1]);
            }
        }
        timeline.led(leader.node(), leader.nanos(), System.nanoTime());
    }

    /** The same time idle, and with more busy threads than there are processors. */
    void stability() {
        String path = "/stability";
        contend(path);
        sink.add(Metric.LOST_IDLE, lossesPerHour(path));
        List<Thread> busy = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            Thread thread = new Thread(
                    () -> {
                        while (!Thread.currentThread().isInterrupted()) {
                            Thread.onSpinWait();
                        }
                    },
                    "busy");
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
        sleep(1000L * extent.seconds());
        return deployment.reports.losses(path, begin) * 3600.0 / extent.seconds();
    }

    /** As after a cold start, several times, each of new processes. The servers of the other side are warm. */
    void firstHandOvers() {
        deployment.startServers();
        for (int i = 0; i < extent.firsts(); i++) {
            String path = "/first" + i;
            startNodes(path);
            firstHandOver(path);
            deployment.nodes.forEach(node -> node.process().end());
            deployment.reports.clear();
        }
    }

    /** One latch each, so long after work that no compiler has anything left to do. */
    void idle() {
        contend("/idle");
        settle(IDLE_SETTLING);
        idling(1);
    }

    /** What is spent while so many latches do nothing, several times in a row. */
    void idling(int latches) {
        int nodes = deployment.nodes.size();
        for (int i = 0; i < IDLE_VALUES; i++) {
            Idling idling = Idling.measure(deployment, extent.seconds());
            sink.add(Metric.IDLE_CPU, latches, idling.cpuMillis() / nodes);
            sink.add(Metric.IDLE_WAKES, latches, idling.wakes() / nodes);
            sink.add(Metric.IDLE_BYTES, latches, idling.bytes());
        }
    }

    /** What was done before may still be compiled, which is not idling. */
    void settle(int seconds) {
        sleep(1000L * seconds);
        sink.settled(seconds);
    }

    // ---------------------------------------------------------------- helpers

    /** All nodes contend; answers the leader. */
    LatchReport contend(String path) {
        long begin = System.nanoTime();
        deployment.nodes.forEach(node -> node.ask("open " + path));
        LatchReport leader = deployment.reports.awaitLeader(path, begin);
        awaitContenders(leader.node(), path);
        return leader;
    }

    /** After its process was killed. */
    void restart(NodeHandle node) {
        node.process().end();
        deployment.start(node);
        node.answer();
    }

    /**
     * Waits until all nodes contend. A latch of Curator may have left for good when its request met a server that just
     * died, although it is started and connected: that is counted, and all but the leader's are opened anew.
     */
    void awaitRejoined(NodeHandle leader, String path) {
        boolean isComplete = seesAll(
                leader,
                path,
                TimeUnit.MILLISECONDS.toNanos((long) REJOIN_DETECTIONS * deployment.settings.detectionMillis()));
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
        return Boolean.parseBoolean(leader.ask("await " + path + " " + deployment.nodes.size() + " " + nanosMax));
    }

    /**
     * So that what follows does not fall into step with heartbeats, pings and ticks, nor meets a process that has just
     * come: a node of Quorate does not vote before a detection time has passed.
     */
    void sleepAboutDetection() {
        int detection = deployment.settings.detectionMillis();
        sleepUntil(deployment.lastStart() + TimeUnit.MILLISECONDS.toNanos(detection + detection / 2));
        sleep(random.nextInt(detection));
    }

    void sleepUntil(long moment) {
        sleep(Math.max(0, TimeUnit.NANOSECONDS.toMillis(moment - System.nanoTime())));
    }

    static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
