import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs three processes of an example on this machine. It kills the leader, starts it again, ends the next leader by
 * SIGTERM, and ends with status 0 if one process alone works then. Argument: the main class. The class path is its own.
 *
 * <p>An example prints a line of small letters, {@code ... with token N}, each time that it works. A higher token is that
 * of a later leader. A line of a log is no such line, for it may speak of another node.
 */
class Run {

    private static final Pattern WORK = Pattern.compile("[a-z ]+ with token (\\d+)");
    private static final long DEADLINE_SECONDS = 600;
    private static final long QUIET_SECONDS = 5;
    /** What a former leader printed in time may be read later than the first line of the next one. */
    private static final long LATE_SECONDS = 1;

    private static final int PORTS_TRIED_MAX = 100;

    private record Line(String node, String text) {}

    private final String main;
    private final Path directory = Files.createDirectories(Path.of("target", "run"));
    private final Map<String, String> peers = new TreeMap<>();
    private final Map<String, Process> processes = new TreeMap<>();
    private final LinkedBlockingQueue<Line> said = new LinkedBlockingQueue<>();
    private final long begin = System.nanoTime();
    private String leader = "";
    private long token;

    Run(String main) throws IOException {
        this.main = main;
        List<ServerSocket> free = new ArrayList<>();
        for (String node : List.of("n1", "n2", "n3")) {
            ServerSocket socket = listen();
            free.add(socket);
            peers.put(node, node + "=127.0.0.1:" + socket.getLocalPort());
        }
        for (ServerSocket socket : free) {
            socket.close();
        }
    }

    /**
     * At a port below those that a system gives to outgoing connections: one of these could take the port of a process
     * that is killed, and it could not start again.
     */
    private static ServerSocket listen() throws IOException {
        for (int attempt = 1; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 15_000);
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (BindException e) {
                // Somebody listens there: another one will do.
                if (attempt == PORTS_TRIED_MAX) {
                    throw e;
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run run = new Run(arguments[0]);
        Runtime.getRuntime().addShutdownHook(new Thread(run::endAll));
        run.go();
    }

    private void go() throws Exception {
        for (String node : peers.keySet()) {
            start(node);
        }
        awaitNext("n1, n2 and n3 start");
        String killed = leader;
        processes.get(killed).destroyForcibly().waitFor();
        awaitNext(killed + " is killed");
        start(killed);
        awaitPort(killed);
        // Nor does it vote in the first seconds of its life.
        watch();
        String ended = leader;
        processes.get(ended).destroy();
        awaitNext(killed + " is back, and " + ended + " gets SIGTERM");
        watch();
        say("one leader: " + leader + " alone works, with token " + token);
    }

    private void say(String text) {
        System.out.printf("%6.2f s  %s%n", (System.nanoTime() - begin) / 1e9, text);
    }

    private void start(String node) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                java, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), main);
        Path data = Files.createDirectories(directory.resolve("data-" + node));
        builder.environment().put("QUORATE_NODE_ID", node);
        builder.environment().put("QUORATE_PEERS", String.join(",", peers.values()));
        builder.environment().put("QUORATE_DATA_DIRECTORY", data.toString());
        File log = directory.resolve(node + ".log").toFile();
        Process process = builder.redirectError(log).start();
        processes.put(node, process);
        Thread reader = new Thread(() -> read(node, process));
        reader.setDaemon(true);
        reader.start();
    }

    private void read(String node, Process process) {
        Path output = directory.resolve(node + ".out");
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Files.writeString(output, line + "\n", CREATE, APPEND);
                said.add(new Line(node, line));
            }
        } catch (IOException e) {
            said.add(new Line(node, "cannot be read: " + e));
        }
    }

    /** Waits until the process listens: before that, it is no help to the others. */
    private void awaitPort(String node) throws InterruptedException {
        int port = Integer.parseInt(peers.get(node).split(":")[1]);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (System.nanoTime() > end || !processes.get(node).isAlive()) {
                    throw new IllegalStateException(node + " does not start; the logs are in " + directory, e);
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** Waits until a process works with a higher token. */
    private void awaitNext(String event) throws InterruptedException {
        say(event);
        long from = System.nanoTime();
        long before = token;
        while (token == before) {
            Line line = said.poll(1, TimeUnit.SECONDS);
            boolean isLate = System.nanoTime() - from > TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
            if (isLate || processes.values().stream().noneMatch(Process::isAlive)) {
                throw new IllegalStateException("nobody follows; the logs are in " + directory.toAbsolutePath());
            }
            if (line != null) {
                hear(line);
            }
        }
        say(leader + " works with token " + token + " after " + (System.nanoTime() - from) / 1_000_000 + " ms");
    }

    /** For a while one process alone works. */
    private void watch() throws InterruptedException {
        long begun = System.nanoTime();
        long end = begun + TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
        int works = 0;
        long before = token;
        for (Line line = next(end); line != null; line = next(end)) {
            boolean isLeaders = hear(line);
            works += isLeaders ? 1 : 0;
            boolean isLate = System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(LATE_SECONDS);
            if (!isLeaders && !isLate && WORK.matcher(line.text).matches()) {
                throw new IllegalStateException(line.node + " works beside " + leader + ", which has token " + token
                        + ": '" + line.text + "'; the logs are in " + directory.toAbsolutePath());
            }
        }
        if (works == 0 || token != before) {
            throw new IllegalStateException(works + " lines of work in " + QUIET_SECONDS + " s, token " + token
                    + " after " + before + "; the logs are in " + directory.toAbsolutePath());
        }
    }

    private Line next(long end) throws InterruptedException {
        return said.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /** Answers whether it is the leader's work. */
    private boolean hear(Line line) {
        Matcher work = WORK.matcher(line.text);
        if (!work.matches()) {
            return false;
        }
        long its = Long.parseLong(work.group(1));
        if (its > token) {
            token = its;
            leader = line.node;
        }
        return its == token && line.node.equals(leader);
    }

    private void endAll() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
