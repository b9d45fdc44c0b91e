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
import java.util.NavigableMap;
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
 * of a later leader. A line of a log does not count, because it may be about another node.
 *
 * <p>It checks what holds on any machine. Each token belongs to one process, the tokens of a process rise, and in the
 * end one process works alone. It does not expect a leader to stay, because a machine that starves its processes ends
 * their leases.
 */
class Run {

    private static final Pattern WORK = Pattern.compile("[a-z ]+ with token (\\d+)");
    private static final long DEADLINE_SECONDS = 600;
    private static final int ALONE_LINES = 5;
    /** A process does not vote in the first seconds of its life. */
    private static final long QUARANTINE_SECONDS = 5;

    private static final int PORTS_TRIED_MAX = 100;

    private record Line(String node, String text) {}

    private final String main;
    private final Path directory = Files.createDirectories(Path.of("target", "run"));
    private final Map<String, String> peers = new TreeMap<>();
    private final Map<String, Process> processes = new TreeMap<>();
    private final LinkedBlockingQueue<Line> said = new LinkedBlockingQueue<>();
    private final long begin = System.nanoTime();
    private final NavigableMap<Long, String> owners = new TreeMap<>();
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
        // Justification: a lower bound. If it still does not vote, the next leader comes later.
        TimeUnit.SECONDS.sleep(QUARANTINE_SECONDS);
        awaitAlone();
        String ended = leader;
        processes.get(ended).destroy();
        awaitNext(killed + " is back, and " + ended + " gets SIGTERM");
        awaitAlone();
        say("one leader: " + leader + " alone works, with token " + token);
    }

    private void say(String text) {
        // Justification: a time that is printed.
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
                // Justification: ten minutes.
                if (System.nanoTime() > end || !processes.get(node).isAlive()) {
                    throw new IllegalStateException(node + " does not start; the logs are in " + directory, e);
                }
                // Justification: looks again soon.
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** Waits until a process works with a higher token. */
    private void awaitNext(String event) throws InterruptedException {
        say(event);
        long from = System.nanoTime();
        long end = from + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        long before = token;
        while (token == before) {
            hear(nextWork(end));
        }
        // Justification: a time that is printed.
        say(leader + " works with token " + token + " after " + (System.nanoTime() - from) / 1_000_000 + " ms");
    }

    /** Waits until one process works {@link #ALONE_LINES} times, and no other one in between. */
    private void awaitAlone() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        int lines = 0;
        while (lines < ALONE_LINES) {
            String before = leader;
            boolean isLeaders = hear(nextWork(end));
            lines = isLeaders && leader.equals(before) ? lines + 1 : 0;
        }
    }

    /** The next line in which a process says that it works. */
    private Line nextWork(long end) throws InterruptedException {
        // Justification: ten minutes.
        while (System.nanoTime() - end < 0 && processes.values().stream().anyMatch(Process::isAlive)) {
            // Justification: looks again soon.
            Line line = said.poll(1, TimeUnit.SECONDS);
            if (line != null && WORK.matcher(line.text).matches()) {
                return line;
            }
        }
        throw new IllegalStateException("no process works alone: last was " + leader + " with token " + token
                + "; the logs are in " + directory.toAbsolutePath());
    }

    /** Returns whether it is the work of the newest leader. */
    private boolean hear(Line line) {
        Matcher work = WORK.matcher(line.text);
        if (!work.matches()) {
            throw new IllegalArgumentException(line.text);
        }
        long its = Long.parseLong(work.group(1));
        if (!owners.containsKey(its) && owners.tailMap(its).containsValue(line.node)) {
            throw wrong(line, "after a higher one");
        }
        if (!owners.merge(its, line.node, (first, later) -> first).equals(line.node)) {
            throw wrong(line, "which is that of " + owners.get(its));
        }
        if (its > token) {
            token = its;
            leader = line.node;
        }
        return its == token;
    }

    private IllegalStateException wrong(Line line, String why) {
        return new IllegalStateException(
                line.node + " works with token " + WORK.matcher(line.text).replaceAll("$1") + ", " + why + ": '"
                        + line.text + "'; the logs are in " + directory.toAbsolutePath());
    }

    private void endAll() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
