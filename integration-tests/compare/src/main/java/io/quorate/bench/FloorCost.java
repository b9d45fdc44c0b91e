package io.quorate.bench;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.compare.ProcessUsage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The floor below the comparison: what three JVMs take that elect nobody, and only send each other the frames of a
 * cluster over {@code tcp}, with one event loop and one thread for callbacks each. It needs the JDK alone, and runs in
 * the processes of a class path: {@code java -cp integration-tests/compare/target/classes
 * io.quorate.bench.FloorCost [fresh clusters] [seconds before idling is measured]}.
 */
public final class FloorCost {

    private static final int NODES = 3;
    /** A heartbeat with its acknowledgement, without a secret: docs/verification.md, "Comparison". */
    private static final int FRAME = 57;

    private static final long HEARTBEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final int WARM = 300;
    private static final int MEASURED_SECONDS = 20;

    /** {@code start()} asks the voters twice, one question after the other; a hand-over is told, and that is all. */
    private static final int START_HOPS = 4;

    private static final int HAND_OVER_HOPS = 1;

    private FloorCost() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("node")) {
            List<Integer> ports =
                    Arrays.stream(arguments).skip(2).map(Integer::valueOf).toList();
            new Node(Integer.parseInt(arguments[1]), ports).run();
            return;
        }
        int clusters = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 25;
        int idleSeconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 90;
        List<Double> connected = new ArrayList<>();
        List<Double> starts = new ArrayList<>();
        List<Double> firstHandOvers = new ArrayList<>();
        List<Double> handOvers = new ArrayList<>();
        for (int i = 0; i < clusters; i++) {
            try (Cluster cluster = new Cluster()) {
                connected.add(cluster.connectedMillis);
                // As in the comparison, the frames of the start are not in the way of what follows.
                TimeUnit.MILLISECONDS.sleep(1_500);
                starts.add(cluster.millis(START_HOPS, 0));
                TimeUnit.MILLISECONDS.sleep(1_500);
                firstHandOvers.add(cluster.millis(HAND_OVER_HOPS, 1));
                for (int j = 0; i == 0 && j < WARM; j++) {
                    handOvers.add(cluster.millis(HAND_OVER_HOPS, 1));
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
        }
        print("processes started until all are connected, ms", connected);
        print("the first four frames, one after the other, ms", starts);
        print("the first frame of a hand-over, ms", firstHandOvers);
        print("later frames of a hand-over, ms", handOvers);
        try (Cluster cluster = new Cluster()) {
            cluster.idle(idleSeconds);
        }
    }

    private static void print(String what, List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        System.out.printf(
                "%-52s median %8.2f, 99 %% %8.2f, of %d%n",
                what, sorted[sorted.length / 2], sorted[(int) (0.99 * sorted.length)], sorted.length);
    }

    // ---------------------------------------------------------------- the three processes

    private static final class Cluster implements AutoCloseable {

        private final List<Process> processes = new ArrayList<>();
        private final List<BufferedReader> outputs = new ArrayList<>();
        private final List<PrintStream> inputs = new ArrayList<>();
        private final double connectedMillis;

        Cluster() throws IOException {
            List<String> ports = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                try (ServerSocket free = new ServerSocket(0)) {
                    ports.add(Integer.toString(free.getLocalPort()));
                }
            }
            long begun = System.nanoTime();
            for (int i = 0; i < NODES; i++) {
                List<String> command = new ArrayList<>(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FloorCost.class.getName(),
                        "node",
                        Integer.toString(i)));
                command.addAll(ports);
                Process process = new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                processes.add(process);
                outputs.add(
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
                inputs.add(new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8));
            }
            for (BufferedReader output : outputs) {
                output.readLine();
            }
            connectedMillis = (System.nanoTime() - begun) / 1e6;
        }

        /** The first process sends a frame that goes to and fro; from its first write to the callback at the end. */
        double millis(int hops, int end) throws IOException {
            inputs.get(0).println(hops);
            long begun = 0;
            long ended = 0;
            if (end == 0) {
                for (int i = 0; i < 2; i++) {
                    String line = outputs.get(0).readLine();
                    long at = Long.parseLong(line.substring(1));
                    begun = line.charAt(0) == '=' ? at : begun;
                    ended = line.charAt(0) == '!' ? at : ended;
                }
            } else {
                begun = Long.parseLong(outputs.get(0).readLine().substring(1));
                ended = Long.parseLong(outputs.get(end).readLine().substring(1));
            }
            return (ended - begun) / 1e6;
        }

        void idle(int before) throws IOException, InterruptedException {
            TimeUnit.SECONDS.sleep(before);
            long cpu = cpuNanos();
            long bytes = ProcessUsage.loopbackBytes();
            TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
            System.out.printf(
                    "idle after %d s: %.2f ms of CPU a second and process, %.2f kB/s on the loopback interface%n",
                    before,
                    (cpuNanos() - cpu) / 1e6 / MEASURED_SECONDS / NODES,
                    (ProcessUsage.loopbackBytes() - bytes) / 1e3 / MEASURED_SECONDS);
        }

        private long cpuNanos() throws IOException {
            long sum = 0;
            for (int i = 0; i < NODES; i++) {
                inputs.get(i).println("cpu");
                sum += Long.parseLong(outputs.get(i).readLine());
            }
            return sum;
        }

        @Override
        public void close() {
            processes.forEach(process -> process.destroyForcibly().onExit().join());
        }
    }

    // ---------------------------------------------------------------- one of them

    private static final class Node {

        private final int index;
        private final Selector selector = Selector.open();
        private final SocketChannel[] peers = new SocketChannel[NODES];
        private final Queue<Integer> commands = new ConcurrentLinkedQueue<>();
        private final ExecutorService callbacks = Executors.newSingleThreadExecutor();

        Node(int index, List<Integer> ports) throws IOException, InterruptedException {
            this.index = index;
            InetAddress loopback = InetAddress.getLoopbackAddress();
            try (ServerSocketChannel server =
                    ServerSocketChannel.open().bind(new InetSocketAddress(loopback, ports.get(index)))) {
                for (int peer = 0; peer < index; peer++) {
                    peers[peer] = connect(new InetSocketAddress(loopback, ports.get(peer)));
                    peers[peer].write(ByteBuffer.wrap(new byte[] {(byte) index}));
                }
                for (int peer = index + 1; peer < NODES; peer++) {
                    SocketChannel accepted = server.accept();
                    ByteBuffer name = ByteBuffer.allocate(1);
                    accepted.read(name);
                    peers[name.get(0)] = accepted;
                }
            }
            for (int peer = 0; peer < NODES; peer++) {
                if (peer != index) {
                    peers[peer].setOption(StandardSocketOptions.TCP_NODELAY, true);
                    peers[peer].configureBlocking(false);
                    peers[peer].register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(FRAME));
                }
            }
        }

        private static SocketChannel connect(InetSocketAddress address) throws InterruptedException {
            while (true) {
                try {
                    return SocketChannel.open(address);
                } catch (IOException notYet) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            }
        }

        void run() throws IOException {
            Thread reader = new Thread(this::obey);
            reader.setDaemon(true);
            reader.start();
            System.out.println("connected");
            long beat = System.nanoTime();
            while (true) {
                selector.select(Math.max(1, (beat - System.nanoTime()) / 1_000_000));
                for (Integer hops = commands.poll(); hops != null; hops = commands.poll()) {
                    sendToBoth((index + 1) % NODES, hops);
                }
                if (System.nanoTime() - beat >= 0) {
                    beat += HEARTBEAT_NANOS;
                    sendToBoth(index, 0);
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    read((SocketChannel) key.channel(), (ByteBuffer) key.attachment());
                }
                selector.selectedKeys().clear();
            }
        }

        private void obey() {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            lines.lines().forEach(line -> {
                if (line.equals("cpu")) {
                    System.out.println(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                            .getProcessCpuTime());
                } else {
                    long now = System.nanoTime();
                    commands.add(Integer.valueOf(line));
                    selector.wakeup();
                    System.out.println("=" + now);
                }
            });
            // The parent is gone.
            Runtime.getRuntime().halt(0);
        }

        /** Each frame has a like for the third process, as the questions to all voters have. */
        private void sendToBoth(int to, int hops) throws IOException {
            for (int peer = 0; peer < NODES; peer++) {
                if (peer != index) {
                    ByteBuffer frame = ByteBuffer.allocate(FRAME);
                    frame.put(0, (byte) (peer == to ? hops : 0));
                    peers[peer].write(frame);
                }
            }
        }

        private void read(SocketChannel peer, ByteBuffer frame) throws IOException {
            if (peer.read(frame) < 0) {
                Runtime.getRuntime().halt(0);
            }
            while (!frame.hasRemaining()) {
                int hops = frame.get(0);
                frame.clear();
                if (hops == 1) {
                    callbacks.execute(() -> System.out.println("!" + System.nanoTime()));
                } else if (hops > 1) {
                    sendToBoth(Arrays.asList(peers).indexOf(peer), hops - 1);
                }
                peer.read(frame);
            }
        }
    }
}
