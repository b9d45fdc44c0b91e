package io.quorate.vertx;

import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.NodeId;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.TlsProbe;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mutual TLS: members talk, and nobody else is heard or talked to. Node a is right in all tests. */
@Timeout(120)
class VertxTransportTlsTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final Duration FIVE_DAYS = Duration.ofDays(5);
    private static final Duration TEN_DAYS = Duration.ofDays(10);

    @TempDir
    private static Path directory;

    private static Certificates files;
    private static Certificates.Identity ca;
    private static Certificates.Identity ofA;

    private final Inbox inboxA = new Inbox();
    private Nodes nodes;
    private CapturedLog log;
    private VertxTransport a;

    @BeforeAll
    static void sign() throws IOException, GeneralSecurityException {
        files = new Certificates(directory);
        ca = Certificates.authority("CN=ca");
        ofA = ca.signs("CN=a").sign();
    }

    @BeforeEach
    void startA() throws IOException, GeneralSecurityException {
        nodes = new Nodes("a", "b");
        log = new CapturedLog();
        a = nodes.start("a", inboxA, files.keyStore(ofA, ca.certificate()));
    }

    @AfterEach
    void close() {
        nodes.close();
        log.close();
    }

    private static Tls pem(Certificates.Identity own) throws IOException {
        return files.pem(own, ca.certificate());
    }

    private void assertTalk(VertxTransport b, Inbox inboxB, String text) {
        repeat(() -> b.send(A, frame(text)), () -> inboxA.has(text), log::text);
        repeat(() -> a.send(B, frame(text)), () -> inboxB.has(text), log::text);
    }

    // The keys of one are in a store, and those of the other in PEM files.
    @Test
    void membersTalk() throws IOException, GeneralSecurityException {
        Inbox inboxB = new Inbox();
        VertxTransport b = nodes.start("b", inboxB, pem(ca.signs("CN=b").sign()));
        for (String text : List.of("", "short", "x".repeat(Transport.FRAME_LENGTH_MAX))) {
            assertTalk(b, inboxB, text);
        }
        assertThat(log.text()).doesNotContain("\tat ");
    }

    /**
     * A node with this certificate says that it is b, and is not heard; a, which dials it, tells it nothing. Both say
     * why.
     */
    private void assertNotHeard(Certificates.Identity own, String whenItDials, String whenItIsDialled)
            throws IOException {
        Inbox inboxB = new Inbox();
        VertxTransport b = nodes.start("b", inboxB, pem(own));
        repeat(
                () -> {
                    b.send(A, frame("from b"));
                    a.send(B, frame("secret"));
                },
                () -> !log.lines("a: closes the connection of 127.0.0.1", whenItDials)
                                .isEmpty()
                        && !log.lines("b: ends the connection with 127.0.0.1", "Received fatal alert")
                                .isEmpty()
                        && !log.lines("a: b is not there yet", whenItIsDialled).isEmpty()
                        && a.sendsDropped() > 100,
                () -> a.sendsDropped() + " and " + b.sendsDropped() + " dropped\n" + log.text());
        assertThat(inboxA.all()).isEmpty();
        assertThat(inboxB.all()).isEmpty();
        assertThat(log.text()).doesNotContain("\tat ");
        assertThat(log.lines("a: closes the connection")).hasSize(1);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws IOException, GeneralSecurityException {
        assertNotHeard(
                Certificates.authority("CN=other").signs("CN=b").sign(),
                "Empty client certificate chain",
                "unable to find valid certification path");
    }

    @Test
    void aCertificateThatHasEndedIsRefused() throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        assertNotHeard(
                ca.signs("CN=b")
                        .during(now.minus(TEN_DAYS), now.minus(FIVE_DAYS))
                        .sign(),
                "NotAfter",
                "validity check failed");
    }

    @Test
    void aCertificateThatHasNotBegunIsRefused() throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        assertNotHeard(
                ca.signs("CN=b").during(now.plus(FIVE_DAYS), now.plus(TEN_DAYS)).sign(),
                "NotBefore",
                "validity check failed");
    }

    // The bus tells no connection of another: which node of the cluster it is cannot be compared, and the documents say
    // so.
    @Test
    void aMemberCanSpeakAsAnother() throws IOException, GeneralSecurityException {
        Inbox inboxB = new Inbox();
        VertxTransport b = nodes.start("b", inboxB, pem(ca.signs("CN=c").sign()));
        assertTalk(b, inboxB, "as somebody else");
    }

    @Test
    void aCertificateThatNamesNoNodeOfTheClusterIsRefused() throws IOException, GeneralSecurityException {
        String ofA = "quorate://" + Nodes.CLUSTER + "/a";
        String ofB = "quorate://" + Nodes.CLUSTER + "/b";
        for (Certificates.Identity own : List.of(
                ca.signs("CN=b").uris("quorate://other/b").sign(),
                ca.signs("CN=b").uris(ofA, ofB).sign(),
                ca.signs("O=Example").sign())) {
            Inbox inboxB = new Inbox();
            try (VertxTransport b = nodes.start("b", inboxB, pem(own))) {
                long dropped = a.inputsDropped();
                for (int i = 0; i < 50; i++) {
                    b.send(A, frame("from b"));
                    a.send(B, frame("secret"));
                }
                repeat(
                        () -> {
                            b.send(A, frame("from b"));
                            a.send(B, frame("secret"));
                        },
                        () -> a.sendsDropped() > 100
                                && b.sendsDropped() > 100
                                && !reasons().isEmpty(),
                        log::text);
                assertThat(a.inputsDropped()).isEqualTo(dropped);
            }
            assertThat(inboxA.all()).isEmpty();
            assertThat(inboxB.all()).isEmpty();
        }
        assertThat(reasons()).as(log.text()).hasSize(1);
        assertThat(log.text()).doesNotContain("\tat ");
    }

    private List<String> reasons() {
        return log.lines("a: closes the connection of 127.0.0.1", "names no node of cluster " + Nodes.CLUSTER);
    }

    @Test
    void aNodeInTheClearIsNotHeardAndToldNothing() {
        Inbox inboxB = new Inbox();
        VertxTransport b = nodes.start("b", inboxB);
        repeat(
                () -> {
                    b.send(A, frame("from b"));
                    a.send(B, frame("secret"));
                },
                () -> !log.lines("a: closes the connection of 127.0.0.1", "not an SSL/TLS record")
                                .isEmpty()
                        && a.sendsDropped() > 100,
                log::text);
        assertThat(inboxA.all()).isEmpty();
        assertThat(inboxB.all()).isEmpty();
        assertThat(log.text()).doesNotContain("\tat ");
    }

    @Test
    void aClientWithoutACertificateIsRefused() {
        TlsProbe stranger = new TlsProbe(nodes.address("a").toString());
        assertThat(stranger.shows(ofA.certificate())).isTrue();
        assertThat(stranger.takesAnybody()).isFalse();
        await(
                () -> !log.lines("a: closes the connection of 127.0.0.1", "Empty client certificate chain")
                        .isEmpty(),
                log::text);
    }

    // Whoever connects and says nothing has two seconds.
    @Test
    void aConnectionThatBeginsNoTlsIsClosed() throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            silent.add(nodes.keep(new Socket("127.0.0.1", nodes.address("a").port())));
        }
        for (Socket socket : silent) {
            InputStream in = socket.getInputStream();
            assertThat(in.readAllBytes()).isEmpty();
        }
        await(
                () -> !log.lines("a: closes the connection of 127.0.0.1", "handshake timed out")
                        .isEmpty(),
                log::text);
    }

    // Connections to there are in the clear, because the names of nodes are asked for over them.
    @Test
    void noNodeIsAtThePortOfNameServers() throws IOException {
        Settings settings = new Settings(
                Nodes.CLUSTER,
                B,
                Map.of(A, new HostAndPort("10.0.0.1", 53), B, new HostAndPort("10.0.0.2", 7400)),
                Optional.empty(),
                Optional.of(pem(ofA)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VertxTransport.embedded(settings))
                .withMessage(
                        "node a at 10.0.0.1:53: must be at another port, with keys: this one is that of name servers");
    }

    @Test
    void theEndOfTheCertificateIsKnown() {
        assertThat(a.certificateEnd()).contains(ofA.certificate().getNotAfter().toInstant());
        assertThat(VertxTransport.embedded(nodes.settings("b")).certificateEnd())
                .isEmpty();
    }

    @Test
    void aFileThatIsMissingIsNamedAtTheStart() {
        Tls missing = Tls.pem(directory.resolve("no.crt"), directory.resolve("no.key"), directory.resolve("ca"));
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> nodes.start("b", new Inbox(), missing))
                .withMessageContaining("cannot listen at " + nodes.address("b"))
                .withMessageContaining("no.key");
    }
}
