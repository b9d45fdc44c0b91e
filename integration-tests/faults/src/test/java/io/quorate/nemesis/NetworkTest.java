package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.RealTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the links do to bytes, between two nodes that are plain sockets. */
@RealTime
class NetworkTest {

    private static final Duration DEADLINE = Duration.ofMinutes(10);
    /** For what must not happen: it would within a millisecond. */
    private static final Duration A_WHILE = Duration.ofMillis(200);
    /** Longer than it takes to connect and write on a busy machine. */
    private static final int OVERTAKEN_MILLIS = 4000;

    private final Network network = new Network(new Random(1));
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(network));
    private Node one;
    private Node two;

    /** Keeps the lines that reach it, and answers each with {@code pong}. */
    private final class Node {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<String> got = new CopyOnWriteArrayList<>();

        private Node() throws IOException {
            opened.add(server);
            inBackground(() -> {
                while (true) {
                    Socket socket = server.accept();
                    opened.add(socket);
                    inBackground(() -> read(socket));
                }
            });
        }

        private void read(Socket socket) throws IOException {
            BufferedReader lines = reader(socket);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                got.add(line);
                write(socket, "pong");
            }
        }

        private String address() {
            return "127.0.0.1:" + server.getLocalPort();
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void inBackground(Action action) {
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (IOException e) {
                // Justification: a closed socket, which the test notices by what does not arrive.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void write(Socket socket, String line) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @BeforeEach
    void startNodes() throws IOException {
        one = new Node();
        two = new Node();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : List.copyOf(opened)) {
            each.close();
        }
    }

    /** A connection to the address that {@code from} was given for {@code to}. */
    private Socket connect(String from, String to) throws IOException {
        String peers = network.peers(from, Map.of("one", one.address(), "two", two.address()));
        String before = to + "=127.0.0.1:";
        int port = Integer.parseInt(
                peers.substring(peers.indexOf(before) + before.length()).split(",")[0]);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        opened.add(socket);
        return socket;
    }

    private static void awaitGot(Node node, String... lines) {
        Awaitility.await().atMost(DEADLINE).until(() -> node.got.size() >= lines.length);
        assertThat(node.got).containsExactly(lines);
    }

    private static void assertStays(Node node, String... lines) {
        Awaitility.await().during(A_WHILE).atMost(DEADLINE).untilAsserted(() -> assertThat(node.got)
                .containsExactly(lines));
    }

    @Test
    void aNodeIsGivenItsOwnAddressAndLinksToTheOthers() {
        Map<String, String> addresses = Map.of("one", one.address(), "two", two.address());
        assertThat(network.peers("one", addresses))
                .contains("one=" + one.address())
                .doesNotContain(two.address());
        assertThat(network.peers("two", addresses))
                .contains("two=" + two.address())
                .doesNotContain(one.address());
    }

    @Test
    void bytesAndAnswersPass() throws IOException {
        Socket there = connect("one", "two");
        write(there, "a");
        awaitGot(two, "a");
        assertThat(reader(there).readLine()).isEqualTo("pong");
        assertThat(network.counts().bytes()).isEqualTo(7);
    }

    // Also what a node answers does not arrive, on whosever connection.
    @Test
    void aCutHoldsOneDirectionOfAllConnectionsUntilItIsHealed() throws IOException {
        Socket there = connect("one", "two");
        Socket back = connect("two", "one");
        network.cut("one", "two");
        write(there, "a");
        write(back, "b");
        awaitGot(one, "b");
        assertStays(two);
        assertThat(back.getInputStream().available()).isZero();
        assertThat(network.counts().heldBytes()).isEqualTo(7);

        network.heal();
        awaitGot(two, "a");
        assertThat(reader(back).readLine()).isEqualTo("pong");
    }

    @Test
    void bytesOfAConnectionThatIsClosedDuringACutStillArrive() throws IOException {
        Socket there = connect("one", "two");
        network.cutBothWays("one", "two");
        write(there, "a");
        Awaitility.await().atMost(DEADLINE).until(() -> network.counts().heldBytes() == 2);
        there.close();
        assertStays(two);
        network.heal();
        awaitGot(two, "a");
    }

    @Test
    void flappingLinksHoldForAWhileAndPassForAWhileUntilTheyAreHealed() throws IOException {
        Socket there = connect("one", "two");
        network.flap("one", 20);
        List<String> lines = new ArrayList<>();
        Awaitility.await().atMost(DEADLINE).pollInterval(Duration.ofMillis(3)).until(() -> {
            lines.add("line" + lines.size());
            write(there, lines.get(lines.size() - 1));
            return network.counts().heldBytes() > 0 && two.got.size() > 10;
        });
        network.heal();
        awaitGot(two, lines.toArray(String[]::new));
        long held = network.counts().heldBytes();
        write(there, "last");
        lines.add("last");
        awaitGot(two, lines.toArray(String[]::new));
        assertThat(network.counts().heldBytes()).isEqualTo(held);
    }

    @Test
    void refusedConnectionsEndAndNewOnesTooUntilItIsHealed() throws IOException {
        Socket before = connect("one", "two");
        write(before, "a");
        awaitGot(two, "a");
        network.refuse("two");
        assertThat(reader(before).lines().toList()).isSubsetOf("pong");
        assertThat(reader(connect("one", "two")).readLine()).isNull();
        assertThat(network.counts().refused()).isPositive();

        network.heal();
        write(connect("one", "two"), "b");
        awaitGot(two, "a", "b");
    }

    @Test
    void delayedBytesKeepTheirOrder() throws IOException {
        Socket there = connect("one", "two");
        network.delay("two", 50);
        String[] lines = new String[20];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = "line" + i;
            write(there, lines[i]);
        }
        awaitGot(two, lines);
    }

    @Test
    void laterFramesOvertakeFramesInFlight() throws IOException {
        Socket before = connect("one", "two");
        network.delay("two", 1);
        network.cut("one", "two");
        write(before, "old");
        Awaitility.await().atMost(DEADLINE).until(() -> network.counts().heldBytes() == 4);
        network.overtake("two", OVERTAKEN_MILLIS);
        network.heal();
        write(connect("one", "two"), "new");
        awaitGot(two, "new", "old");
    }
}
