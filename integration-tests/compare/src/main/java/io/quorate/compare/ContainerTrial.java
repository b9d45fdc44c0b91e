package io.quorate.compare;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * All processes have a small share of a processor each, ZooKeeper's servers too. They start, contend for so many paths,
 * and do nothing else. What is lost is counted in two periods: from the first connection until all are seen to be led,
 * which is up to {@value #POLL_MILLIS} ms later than it is so, and from then on.
 */
final class ContainerTrial {

    private static final double SECOND = 1e9;
    /** A JVM with a tenth of a processor needs some 20 s to be connected. */
    private static final int CONNECTED_SECONDS = 120;
    /** An answer costs the process some of what it has. */
    private static final long POLL_MILLIS = 1000;

    private final Trials trials;
    private final Deployment deployment;
    private final Sink sink;

    ContainerTrial(Trials trials) {
        this.trials = trials;
        this.deployment = trials.deployment();
        this.sink = trials.sink();
    }

    void run(Container container, int latches) {
        List<NodeHandle> nodes = deployment.nodes;
        long begin = System.nanoTime();
        deployment.startServers();
        for (NodeHandle node : nodes) {
            deployment.start(node);
            node.send("openMany /container/p " + latches);
        }
        for (NodeHandle node : nodes) {
            node.answerWithin(CONNECTED_SECONDS);
            node.answerWithin(CONNECTED_SECONDS);
        }
        long watched = TimeUnit.SECONDS.toNanos(trials.extent().quota());
        Optional<Progress> led = Progress.awaitLed(nodes, latches, watched, POLL_MILLIS);
        if (led.isEmpty()) {
            Progress progress = Progress.of(nodes);
            int waited = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            sink.notDone(container.led, latches, waited, OptionalLong.of(progress.led()));
            container.before.add(sink, latches, progress);
            return;
        }
        long end = System.nanoTime() + watched;
        sink.add(container.led, latches, (led.get().lastLed() - begin) / SECOND);
        container.before.add(sink, latches, led.get());
        trials.sleepUntil(end);
        container.after.add(sink, latches, Progress.of(nodes).since(led.get()));
    }
}
