package io.quorate.compare;

import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import io.quorate.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The floor below the comparison: what three JVMs take that elect nobody, and only send each other the frames of a
 * cluster over {@code tcp}, with one event loop and one thread for callbacks each.
 */
final class FloorTrial {

    /** What takes the place of the algorithm in tables. */
    static final String LABEL = "floor";

    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    /** {@code start()} asks the voters twice, one question after the other; a hand-over is told, and that is all. */
    private static final int START_HOPS = 4;

    private static final int HAND_OVER_HOPS = 1;
    private static final long PAUSE_MILLIS = 1500;
    private static final long BETWEEN_MILLIS = 10;

    private final Sink sink;
    private final Extent extent;

    FloorTrial(Sink sink, Extent extent) {
        this.sink = sink;
        this.extent = extent;
    }

    void run() {
        for (int i = 0; i < extent.firsts(); i++) {
            measured(i == 0 ? extent.handOvers() : 0);
        }
        try (Processes processes = new Processes()) {
            Trials.sleep(1000L * extent.settling());
            sink.settled(extent.settling());
            processes.idle();
        }
    }

    private void measured(int handOvers) {
        try (Processes processes = new Processes()) {
            sink.add(Metric.COLD_START, processes.connectedNanos / SECOND);
            // As in the comparison, the frames of the start are not in the way of what follows.
            Trials.sleep(PAUSE_MILLIS);
            sink.add(Metric.START, processes.millis(START_HOPS, 0));
            Trials.sleep(PAUSE_MILLIS);
            sink.add(Metric.FIRST_HAND_OVER, processes.millis(HAND_OVER_HOPS, 1));
            for (int i = 0; i < handOvers; i++) {
                Trials.sleep(BETWEEN_MILLIS);
                sink.add(Metric.HAND_OVER, processes.millis(HAND_OVER_HOPS, 1));
            }
        }
    }

    /** The three, which are connected. */
    private final class Processes implements AutoCloseable {

        private final ChildJvms nodes = new ChildJvms();
        private final Path log;
        private final long connectedNanos;

        Processes() {
            try {
                log = Files.createTempFile("quorate-floor-", ".log");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            List<String> ports = IntStream.range(0, Deployment.NODES)
                    .mapToObj(i -> Integer.toString(FreePorts.take()))
                    .toList();
            long begun = System.nanoTime();
            for (int i = 0; i < Deployment.NODES; i++) {
                List<String> arguments = new ArrayList<>(List.of(Integer.toString(i)));
                arguments.addAll(ports);
                nodes.add(ChildJvm.start(
                        name(i), ChildJvm.Command.of(FloorNode.class, arguments, List.of("-Xmx256m")), log));
            }
            nodes.await("connected", () -> nodes.all().stream()
                    .noneMatch(node -> node.said(FloorNode.CONNECTED).isEmpty()));
            connectedNanos = IntStream.range(0, Deployment.NODES)
                            .mapToLong(i -> last(i, FloorNode.CONNECTED))
                            .max()
                            .orElseThrow()
                    - begun;
        }

        private String name(int index) {
            return "floor" + index;
        }

        /** The moment that the last line with this beginning names. */
        private long last(int index, String begin) {
            List<String> said = nodes.get(name(index)).said(begin);
            return Long.parseLong(said.get(said.size() - 1));
        }

        /** The first process sends a frame that goes to and fro; from its first write to the callback at the end. */
        double millis(int hops, int end) {
            int before = nodes.get(name(end)).said(FloorNode.CALLED).size();
            long begun = Long.parseLong(nodes.get(name(0)).ask(FloorNode.SEND + " " + hops));
            nodes.await(
                    "callback",
                    () -> nodes.get(name(end)).said(FloorNode.CALLED).size() > before);
            return (last(end, FloorNode.CALLED) - begun) / MILLI;
        }

        void idle() {
            Idling idling =
                    Idling.measure(nodes.all().stream().map(ChildJvm::pid).toList(), extent.seconds());
            sink.add(Metric.IDLE_CPU, idling.cpuMillis() / Deployment.NODES);
            sink.add(Metric.IDLE_BYTES, idling.bytes());
        }

        @Override
        public void close() {
            nodes.close();
            try {
                Files.delete(log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
