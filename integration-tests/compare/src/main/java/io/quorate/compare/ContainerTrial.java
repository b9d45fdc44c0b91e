package io.quorate.compare;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * All processes have a small share of a processor each, ZooKeeper's servers too. They start, contend for so many paths,
 * and do nothing else. What is lost is counted from the first connection on.
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
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(trials.extent().quota());
        Optional<Long> led = Progress.awaitLed(nodes, latches, end - System.nanoTime(), POLL_MILLIS);
        led.ifPresentOrElse(
                at -> sink.add(container.led, latches, (at - begin) / SECOND),
                () -> sink.notDone(
                        container.led,
                        latches,
                        (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin),
                        OptionalLong.of(Progress.of(nodes).led())));
        trials.sleepUntil(end);
        Progress progress = Progress.of(nodes);
        sink.add(container.losses, latches, progress.losses());
        sink.add(container.suspended, latches, progress.suspended());
        sink.add(container.lost, latches, progress.lost());
    }
}
