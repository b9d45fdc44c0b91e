package io.quorate.tcp;

import static io.quorate.tcp.Dialler.talk;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.spi.NodeId;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.TransportTlsTests;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** TLS with certificates of both sides: who is heard, and as whom. Node a is right in all tests. */
class TcpTransportTlsTest extends TransportTlsTests<TcpTransport> {

    private final Nodes nodes = new Nodes("a", "b");

    TcpTransportTlsTest() throws IOException {}

    @AfterEach
    void close() {
        nodes.close();
    }

    @Override
    protected Map<NodeId, HostAndPort> addresses() {
        return nodes.addresses();
    }

    @Override
    protected TcpTransport start(Settings settings, Transport.Receiver receiver) {
        return nodes.start(settings, receiver);
    }

    /** A node with this certificate says that it is b, and is not heard; a, which dials it, tells it nothing. */
    private void assertNotHeard(Certificates.Identity certificate, String... reason) throws Exception {
        Inbox inboxB = new Inbox();
        try (Transport b = start("b", inboxB, pem(certificate))) {
            repeat(
                    () -> {
                        b.send(A, frame("from b"));
                        a.send(B, frame("secret"));
                    },
                    () -> log.text()
                            .lines()
                            .anyMatch(line -> line.contains("- a:")
                                    && Arrays.stream(reason).allMatch(line::contains)),
                    log::text);
        }
        assertThat(inboxA.all()).isEmpty();
        assertThat(inboxB.all()).isEmpty();
        assertThat(log.textOfThisLibrary()).doesNotContain("\tat ");
    }

    @Test
    void theReceiverKnowsWhoSpeaks() throws IOException {
        Transport b = start("b", new Inbox(), pem(ofB));
        repeat(() -> b.send(A, frame("b")), () -> inboxA.has("b"), log::text);
        assertThat(senders).containsOnly(Optional.of(B));
    }

    // Far more than a socket takes at once, in both directions at a time.
    @Test
    void muchIsCarriedUnchanged() throws Exception {
        Inbox inboxB = new Inbox();
        try (Transport b = start("b", inboxB, pem(ofB))) {
            String large = "y".repeat(60_000);
            repeat(
                    () -> {
                        b.send(A, frame(large));
                        a.send(B, frame(large));
                    },
                    () -> inboxA.all().size() >= 50 && inboxB.all().size() >= 50,
                    log::text);
            assertThat(inboxA.all()).containsOnly(large);
            assertThat(inboxB.all()).containsOnly(large);
        }
    }

    @Test
    void aPlainNodeIsNotHeardAndToldNothing() throws IOException {
        Inbox inboxB = new Inbox();
        TcpTransport b = nodes.start("b", inboxB);
        repeat(
                () -> {
                    b.send(A, frame("from b"));
                    a.send(B, frame("secret"));
                },
                () -> a.sendsDropped() > 100 && b.sendsDropped() > 100,
                log::text);
        assertThat(inboxA.all()).isEmpty();
        assertThat(inboxB.all()).isEmpty();
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
        assertNotHeard(
                Certificates.authority("CN=ca")
                        .signs("CN=b")
                        .uris("quorate://" + Nodes.CLUSTER + "/b")
                        .sign(),
                "b at");
    }

    @Test
    void aCertificateThatHasEndedIsRefused() throws Exception {
        assertNotHeard(ended(), "is refused: NotAfter");
    }

    @Test
    void aCertificateThatHasNotBegunIsRefused() throws Exception {
        assertNotHeard(notBegun(), "is refused: NotBefore");
    }

    // The JDK does not look at the end of what it is told to trust, and the documents say so.
    @Test
    void anAuthorityThatHasEndedIsBelieved() throws Exception {
        Instant now = Instant.now();
        Certificates.Identity old = ca.signs("CN=old")
                .during(now.minus(Duration.ofDays(10)), now.minus(Duration.ofDays(5)))
                .asAuthority()
                .sign();
        try (Nodes others = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            Map<NodeId, Transport> started = new TreeMap<>();
            for (NodeId id : others.addresses().keySet()) {
                Tls tls = files.pem(
                        old.signs("CN=" + id)
                                .uris("quorate://" + Nodes.CLUSTER + "/" + id)
                                .sign(),
                        old.certificate());
                Settings settings = new Settings(CLUSTER, id, others.addresses(), Optional.empty(), Optional.of(tls));
                started.put(id, others.start(settings, inbox));
            }
            repeat(() -> started.get(B).send(A, frame("believed")), () -> inbox.has("believed"), log::text);
        }
    }

    @Test
    void aCertificateOfAnotherNodeIsRefused() throws Exception {
        assertNotHeard(
                ca.signs("CN=c").uris("quorate://" + Nodes.CLUSTER + "/c").sign(), "certificate", "of node c");
    }

    @Test
    void aCertificateOfAnotherClusterIsRefused() throws Exception {
        assertNotHeard(ca.signs("CN=b").uris("quorate://other/b").sign(), "does not name a node of cluster");
    }

    // As that of a web server, made by the same authority.
    @Test
    void aCertificateWithACommonNameAloneIsRefused() throws Exception {
        assertNotHeard(ca.signs("CN=b").sign(), "does not name a node of cluster");
    }

    @Test
    void aCertificateWithTwoNamesIsRefused() throws Exception {
        assertNotHeard(
                ca.signs("CN=b")
                        .uris("quorate://" + CLUSTER + "/b", "quorate://" + CLUSTER + "/a")
                        .sign(),
                "does not name a node of cluster");
    }

    @Test
    void aConnectionThatBeginsNoTlsIsClosed() throws Exception {
        // Justification: a lower bound. A busy machine closes it later, never sooner.
        long begin = System.nanoTime();
        try (Dialler silent = new Dialler(nodes.port("a"))) {
            assertThat(silent.awaitClosed()).isZero();
        }
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(Loop.SECURING_NANOS);
        byte[] garbage = frame("GET / HTTP/1.1\r\n\r\n");
        repeat(
                () -> talk(nodes.port("a"), stranger -> {
                    stranger.raw(garbage);
                    stranger.awaitEnd();
                }),
                () -> !log.lines("a: closes the connection of 127.0.0.1").isEmpty(),
                log::text);
    }

    // A packet that says to be longer than any: it has no room, and waiting for its rest would read nothing for good.
    @Test
    void aPacketThatIsTooLongEndsTheConnectionAtOnce() throws Exception {
        byte[] packet = new byte[18_000];
        System.arraycopy(new byte[] {0x16, 3, 1, 0x4e, 0x20, 1}, 0, packet, 0, 6);
        repeat(
                () -> talk(nodes.port("a"), stranger -> {
                    stranger.raw(packet);
                    stranger.awaitEnd();
                }),
                () -> !log.lines("a: closes the connection of 127.0.0.1", "packet")
                        .isEmpty(),
                log::text);
    }

    // Each connection shows its certificate: one that was taken back must not go on by a ticket of a former one.
    @Test
    void aSessionIsNotResumed() throws Exception {
        SSLContext ofStranger = pem(ofB).read().context();
        byte[] hello = Dialler.hello(CLUSTER, "b", "a").toBytes();
        List<Long> created = new ArrayList<>();
        while (created.size() < 2) {
            try (SSLSocket socket =
                    (SSLSocket) ofStranger.getSocketFactory().createSocket("127.0.0.1", nodes.port("a"))) {
                socket.setSoTimeout(600_000);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeInt(1 + hello.length);
                out.writeByte(Wire.HELLO);
                out.write(hello);
                out.flush();
                // The ticket comes before the answer.
                if (socket.getInputStream().read() >= 0) {
                    created.add(socket.getSession().getCreationTime());
                }
            } catch (SSLException | SocketException e) {
                // The node cut it off, because this test was slower than it waits. Take another one.
            }
        }
        assertThat(created.get(0)).isNotEqualTo(created.get(1));
    }

    @Test
    void aContendersCertificateIsNotAVoters() throws Exception {
        Map<NodeId, HostAndPort> addresses = new TreeMap<>(nodes.addresses());
        addresses.put(new NodeId("guest"), nodes.address("b"));
        Certificates.Identity guest = ca.signs("CN=guest")
                .uris("quorate://" + Nodes.CLUSTER + "/guest")
                .sign();
        try (TcpTransport right = new TcpTransport(
                new Settings(CLUSTER, new NodeId("guest"), addresses, Optional.empty(), Optional.of(pem(guest))))) {
            right.start(new Inbox());
            repeat(() -> right.send(A, frame("a guest")), () -> inboxA.has("a guest"), log::text);
            assertThat(senders).containsOnly(Optional.of(new NodeId("guest")));
        }
        try (Transport wrong = start("b", new Inbox(), pem(guest))) {
            repeat(
                    () -> wrong.send(A, frame("a voter")),
                    () -> !log.lines("a: refuses", "says that it is b: it has the certificate of node guest")
                            .isEmpty(),
                    log::text);
        }
        assertThat(inboxA.has("a voter")).isFalse();
    }

    // ---------------------------------------------------------------- the engine

    private final ByteBuffer into = ByteBuffer.allocate(64 * 1024);

    /** What a trust manager of somebody else may do. */
    private static final class Throwing implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new AssertionError("meant to be thrown, by the test");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new AssertionError("meant to be thrown, by the test");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private void step(Secured secured, SocketChannel channel) throws IOException {
        into.clear();
        secured.write(channel, ByteBuffer.allocate(0));
        secured.read(channel, into, Runnable::run, () -> {});
        if (secured.isBusy()) {
            secured.onDone();
        }
    }

    // Whoever begins a handshake and goes, again and again, would have work wait that nobody needs, and others behind
    // it.
    @Test
    void workForAClosedConnectionIsNotDone() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Nodes.loopback(), 0));
                SocketChannel dialled = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            accepted.configureBlocking(false);
            Secured client = new Secured(pem(ofA).read().context(), true);
            dialled.configureBlocking(false);
            step(client, dialled);
            Secured listener = new Secured(pem(ofB).read().context(), false);
            Queue<Runnable> waiting = new ArrayDeque<>();
            List<String> done = new ArrayList<>();
            repeat(
                    () -> {
                        try {
                            listener.read(accepted, into, waiting::add, () -> done.add("done"));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    listener::isBusy,
                    () -> "no work");
            listener.end();
            waiting.remove().run();
            assertThat(done).isEmpty();
            assertThat(waiting).isEmpty();
        }
    }

    // Else the engine would wait for it for ever, or be asked for the same work again and again.
    @Test
    void workOfAHandshakeThatThrowsEndsTheHandshake() throws Exception {
        SSLContext right = pem(ofB).read().context();
        SSLContext throwing = SSLContext.getInstance("TLS");
        throwing.init(null, new TrustManager[] {new Throwing()}, null);
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(Nodes.loopback(), 0));
                SocketChannel dialled = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            dialled.configureBlocking(false);
            accepted.configureBlocking(false);
            Secured client = new Secured(throwing, true);
            Secured listener = new Secured(right, false);
            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(() -> {
                        while (!client.isReady()) {
                            step(client, dialled);
                            step(listener, accepted);
                            Thread.yield();
                        }
                    })
                    .withMessageContaining("AssertionError");
            assertThat(client.isReady()).isFalse();
        }
    }

    // What is wrong stands behind what a stranger, or a large company, has written into its certificate.
    @Test
    void aLongSubjectLeavesTheReasonInTheLine() throws Exception {
        Certificates.Identity other = Certificates.authority("CN=another authority");
        Certificates.Identity stranger = other.signs("CN=" + "n2.quorate.production.example.com".repeat(2)
                        + ", OU=Department of Distributed Systems, O=An Example Company with a Long Name Limited,"
                        + " L=Frankfurt am Main, ST=Hessen, C=DE")
                .sign();
        Transport b = start("b", new Inbox(), pem(stranger));
        repeat(
                () -> {
                    b.send(A, frame("from b"));
                    a.send(B, frame("from a"));
                },
                () -> !log.lines("a: ", "the certificate of CN=").isEmpty(),
                log::text);
        assertThat(log.lines("a: ", "the certificate of CN="))
                .allMatch(line -> line.contains("unable to find valid certification path"));
    }
}
