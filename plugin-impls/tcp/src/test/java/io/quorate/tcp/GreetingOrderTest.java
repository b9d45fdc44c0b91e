package io.quorate.tcp;

import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.GreetingProof;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.RealTime;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Words of the greeting in any order, by a client that makes its bytes itself; and two nodes that dial at once. */
@RealTime
class GreetingOrderTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final byte[] SECRET = "s".repeat(16).getBytes(StandardCharsets.UTF_8);

    private Nodes nodes = new Nodes("a", "b");
    private final CapturedLog log = new CapturedLog();
    private Inbox ofA = new Inbox();
    private Inbox ofB = new Inbox();

    @AfterEach
    void close() {
        nodes.close();
        log.close();
    }

    private TcpTransport start(NodeId id, Transport.Receiver receiver) {
        return nodes.start(
                new Settings(
                        Nodes.CLUSTER,
                        id,
                        nodes.addresses(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new GreetingProof(ClusterSecret.of(SECRET, Optional.empty()), Nodes.CLUSTER))),
                receiver);
    }

    // ---------------------------------------------------------------- bytes

    private static byte[] hello(String from, String to, long nonce) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("QUOR".getBytes(StandardCharsets.US_ASCII));
        body.write(2);
        body.write(2);
        for (String text : new String[] {Nodes.CLUSTER, from, to}) {
            body.write(text.length());
            body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        }
        for (int shift = 56; shift >= 0; shift -= 8) {
            body.write((int) (nonce >>> shift));
        }
        body.write(9);
        body.writeBytes("127.0.0.1".getBytes(StandardCharsets.UTF_8));
        body.write(1);
        body.write(1);
        return body.toByteArray();
    }

    private static byte[] hmac(byte[] key, byte[]... texts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] text : texts) {
                mac.update(text);
            }
            return mac.doFinal();
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] shown(int side, byte[] nonce, byte[] hello) {
        byte[] key = hmac(SECRET, ("quorate greeting 1 " + Nodes.CLUSTER).getBytes(StandardCharsets.UTF_8));
        return Arrays.copyOf(hmac(key, new byte[] {(byte) side}, nonce, hello), 16);
    }

    private static void say(Socket socket, int type, byte[] body) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream whole = new DataOutputStream(bytes);
        whole.writeInt(1 + body.length);
        whole.writeByte(type);
        whole.write(body);
        out.write(bytes.toByteArray());
        out.flush();
    }

    /** Type and body; empty when the other side has closed. */
    private static Optional<byte[]> read(Socket socket) {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] all = new byte[in.readInt()];
            in.readFully(all);
            return Optional.of(all);
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("still open, and not a word", e);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Socket dial(String name) throws IOException {
        Socket socket = new Socket(Nodes.loopback(), nodes.port(name));
        socket.setSoTimeout(600_000);
        return socket;
    }

    // ---------------------------------------------------------------- tests

    /** Nothing of this is news for an operator: two nodes that know one secret have dialled each other at once. */
    @Test
    void nodesThatDialEachOtherAtOnceBlameNobody() {
        List<String> blamed = new ArrayList<>();
        int runs = 0;
        for (; runs < 60 && blamed.isEmpty(); runs++) {
            TcpTransport a = start(A, ofA);
            TcpTransport b = start(B, ofB);
            if (runs % 2 == 0) {
                a.send(B, frame("to b"));
                b.send(A, frame("to a"));
            } else {
                b.send(A, frame("to a"));
                a.send(B, frame("to b"));
            }
            repeat(() -> b.send(A, frame("to a")), () -> ofA.has("to a"), log::text);
            repeat(() -> a.send(B, frame("to b")), () -> ofB.has("to b"), log::text);
            blamed.addAll(log.lines("WARN"));
            nodes.close();
            nodes = new Nodes("a", "b");
            ofA = new Inbox();
            ofB = new Inbox();
        }
        assertThat(blamed).as("run " + runs).isEmpty();
    }

    /** An ordinary cold start: three nodes begin at once, and each sends to both others from its first moment. */
    @Test
    void threeColdNodesBlameNobody() throws Exception {
        List<String> names = List.of("a", "b", "c");
        ExecutorService threads = Executors.newFixedThreadPool(names.size());
        try {
            for (int run = 0; run < 40; run++) {
                nodes.close();
                nodes = new Nodes("a", "b", "c");
                Map<String, Inbox> inboxes = new ConcurrentHashMap<>();
                CyclicBarrier begin = new CyclicBarrier(names.size());
                List<Future<Runnable>> starts = new ArrayList<>();
                for (String name : names) {
                    starts.add(threads.submit(() -> {
                        Inbox inbox = new Inbox();
                        inboxes.put(name, inbox);
                        begin.await();
                        TcpTransport node = start(new NodeId(name), inbox);
                        Runnable sending = () -> names.forEach(to -> {
                            if (!to.equals(name)) {
                                node.send(new NodeId(to), frame("from " + name));
                            }
                        });
                        sending.run();
                        return sending;
                    }));
                }
                List<Runnable> sending = new ArrayList<>();
                for (Future<Runnable> each : starts) {
                    sending.add(Deadline.get(each));
                }
                repeat(
                        () -> sending.forEach(Runnable::run),
                        () -> names.stream().allMatch(to -> names.stream()
                                .allMatch(from -> from.equals(to)
                                        || inboxes.getOrDefault(to, ofA).has("from " + from))),
                        log::text);
                assertThat(log.lines("WARN")).as("run " + run).isEmpty();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The words of the greeting in any order, twice, cut off: none of it opens, harms or keeps an honest node out. */
    @Test
    void wordsInAnyOrderOpenNothingAndHarmNobody() throws Exception {
        TcpTransport a = start(A, ofA);
        TcpTransport b = start(B, ofB);
        Random random = new Random(7);
        byte[] hello = hello("b", "a", 9);
        int admitted = 0;
        for (int run = 0; run < 60; run++) {
            StringBuilder said = new StringBuilder();
            try (Socket socket = dial("a")) {
                byte[] nonce = new byte[8];
                boolean isDone = false;
                for (int word = 0; word < 4 && !isDone; word++) {
                    int type = 1 + random.nextInt(9);
                    byte[] body =
                            switch (type) {
                                case 1 -> hello;
                                case 2 -> new byte[] {0, 2, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0};
                                case 7 -> new byte[24];
                                case 8 -> shown(7, nonce, hello);
                                default -> new byte[random.nextInt(600)];
                            };
                    said.append(type).append(' ');
                    if (random.nextInt(4) == 0) {
                        body = Arrays.copyOf(body, body.length / 2);
                    }
                    try {
                        say(socket, type, body);
                    } catch (IOException e) {
                        break;
                    }
                }
                socket.shutdownOutput();
                Optional<byte[]> answer = read(socket);
                while (answer.isPresent()) {
                    admitted += answer.get()[0] == 2 && answer.get()[1] == 0 ? 1 : 0;
                    answer = read(socket);
                }
            } catch (java.net.SocketException e) {
                // It was sent away, as it should be.
            }
            assertThat(admitted).as(said.toString()).isZero();
            String word = "to a in run " + run;
            repeat(() -> b.send(A, frame(word)), () -> ofA.has(word), log::text);
        }
        repeat(() -> a.send(B, frame("to b")), () -> ofB.has("to b"), log::text);
        assertThat(log.lines("internal error")).isEmpty();
        assertThat(log.lines("fault of the transport")).isEmpty();
        assertThat(log.lines("two processes")).isEmpty();
    }

    /** A byte now and then buys no time. */
    @Test
    void aByteNowAndThenBuysNoTime() throws Exception {
        start(A, ofA);
        try (Socket slow = dial("a");
                Socket sibling = dial("a")) {
            byte[] hello = hello("b", "a", 9);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            new DataOutputStream(all).writeInt(1 + hello.length);
            all.write(1);
            all.writeBytes(hello);
            say(sibling, 1, hello);
            assertThat(read(sibling).orElseThrow()[0]).isEqualTo((byte) 7);
            int written = 0;
            boolean isOpen = true;
            for (; written < all.size() && isOpen; written++) {
                try {
                    slow.getOutputStream().write(all.toByteArray()[written]);
                    slow.getOutputStream().flush();
                    isOpen = slow.getInputStream().available() == 0;
                    java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
                } catch (IOException e) {
                    isOpen = false;
                }
            }
            assertThat(written).isLessThan(all.size());
            assertThat(read(sibling)).isEmpty();
        }
    }

    /** Who was dialled shows the secret twice, or dies before it answers. The node dials again, and all is well. */
    @Test
    void theSideThatDialsStandsSecondChallengesAndDeaths() throws Exception {
        for (boolean isTwice : new boolean[] {true, false}) {
            try (ServerSocket there = new ServerSocket(nodes.port("b"), 5, Nodes.loopback())) {
                TcpTransport a = start(A, ofA);
                a.send(B, frame("to b"));
                try (Socket socket = there.accept()) {
                    socket.setSoTimeout(600_000);
                    byte[] hello = read(socket).orElseThrow();
                    hello = Arrays.copyOfRange(hello, 1, hello.length);
                    byte[] nonce = {1, 2, 3, 4, 5, 6, 7, 8};
                    ByteArrayOutputStream body = new ByteArrayOutputStream();
                    body.writeBytes(nonce);
                    body.writeBytes(shown(7, nonce, hello));
                    say(socket, 7, body.toByteArray());
                    byte[] proof = read(socket).orElseThrow();
                    assertThat(proof[0]).isEqualTo((byte) 8);
                    assertThat(Arrays.copyOfRange(proof, 1, proof.length)).isEqualTo(shown(8, nonce, hello));
                    if (isTwice) {
                        say(socket, 7, body.toByteArray());
                        assertThat(read(socket)).isEmpty();
                    }
                }
            }
            TcpTransport a = nodes.start(
                    new Settings(
                            Nodes.CLUSTER,
                            new NodeId("c"),
                            nodes.addresses(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(new GreetingProof(ClusterSecret.of(SECRET, Optional.empty()), Nodes.CLUSTER))),
                    ofA);
            TcpTransport b = start(B, ofB);
            repeat(() -> a.send(B, frame("to b")), () -> ofB.has("to b"), log::text);
            assertThat(log.lines("two processes")).isEmpty();
            nodes.close();
            nodes = new Nodes("a", "b");
            ofB = new Inbox();
            assertThat(b).isNotNull();
        }
    }

    /** At the address of b is a process that accepts and says nothing; b itself runs elsewhere, and calls. */
    @Test
    void aSilentProcessAtTheAddressOfANodeKeepsThatNodeOutForAShortTimeOnly() throws Exception {
        try (ServerSocket silent = new ServerSocket(nodes.port("b"), 50, Nodes.loopback())) {
            assertThat(silent.isBound()).isTrue();
            TcpTransport a = start(A, ofA);
            Nodes elsewhere = new Nodes("b");
            try {
                java.util.Map<NodeId, io.quorate.spi.TransportProvider.HostAndPort> addresses =
                        new java.util.TreeMap<>(nodes.addresses());
                addresses.put(B, elsewhere.address("b"));
                for (int run = 0; run < 5; run++) {
                    for (int i = 0; i < 10; i++) {
                        a.send(B, frame("to b"));
                        java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
                    }
                    TcpTransport b = elsewhere.start(
                            new Settings(
                                    Nodes.CLUSTER,
                                    B,
                                    addresses,
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.of(new GreetingProof(
                                            ClusterSecret.of(SECRET, Optional.empty()), Nodes.CLUSTER))),
                            ofB);
                    String word = "to a in run " + run;
                    repeat(
                            () -> {
                                a.send(B, frame("to b"));
                                b.send(A, frame(word));
                            },
                            () -> ofA.has(word),
                            log::text);
                    elsewhere.close();
                }
                assertThat(log.lines("two processes")).isEmpty();
            } finally {
                elsewhere.close();
            }
        }
    }
}
