package io.quorate.vertx;

import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.Certificates;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.TransportTlsTests;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mutual TLS: members talk, and nobody else is heard or talked to. Node a is right in all tests. */
class VertxTransportTlsTest extends TransportTlsTests<VertxTransport> {

    private final Nodes nodes = new Nodes("a", "b");

    VertxTransportTlsTest() throws IOException {}

    @AfterEach
    void close() {
        nodes.close();
    }

    @Override
    protected Map<NodeId, HostAndPort> addresses() {
        return nodes.addresses();
    }

    @Override
    protected VertxTransport start(Settings settings, Transport.Receiver receiver) {
        return nodes.start(settings, receiver);
    }

    private VertxTransport startB(Transport.Receiver receiver, Certificates.Identity own) throws IOException {
        return start("b", receiver, pem(own));
    }

    /**
     * A node with this certificate says that it is b, and is not heard; a, which dials it, tells it nothing. Both say
     * why.
     */
    private void assertNotHeard(Certificates.Identity own, String whenItDials, String whenItIsDialled)
            throws IOException {
        Inbox inboxB = new Inbox();
        VertxTransport b = startB(inboxB, own);
        repeat(
                () -> {
                    b.send(A, frame("from b"));
                    a.send(B, frame("secret"));
                },
                () -> !log.lines("a: closes the connection of 127.0.0.1", whenItDials)
                                .isEmpty()
                        && !log.lines("b: ends the connection with 127.0.0.1", "refuses our certificate, of")
                                .isEmpty()
                        && !log.lines("a: b is not there yet", whenItIsDialled).isEmpty()
                        && a.sendsDropped() > 100,
                () -> a.sendsDropped() + " and " + b.sendsDropped() + " dropped\n" + log.text());
        assertThat(inboxA.all()).isEmpty();
        assertThat(inboxB.all()).isEmpty();
        assertThat(log.textOfThisLibrary()).doesNotContain("\tat ");
        assertThat(log.lines("a: closes the connection")).hasSizeBetween(1, nodes.linesMax());
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws IOException, GeneralSecurityException {
        assertNotHeard(
                Certificates.authority("CN=other")
                        .signs("CN=b")
                        .uris("quorate://" + Nodes.CLUSTER + "/b")
                        .sign(),
                "has no certificate of an authority that is trusted here",
                "unable to find valid certification path");
    }

    @Test
    void aCertificateThatHasEndedIsRefused() throws IOException, GeneralSecurityException {
        assertNotHeard(ended(), "NotAfter", "is refused: NotAfter");
    }

    @Test
    void aCertificateThatHasNotBegunIsRefused() throws IOException, GeneralSecurityException {
        assertNotHeard(notBegun(), "NotBefore", "is refused: NotBefore");
    }

    // Whatever name stands beside the frame: the receiver is told whose certificate it came under.
    @Test
    void aMemberSpeaksAsItself() throws IOException, GeneralSecurityException {
        Inbox inboxB = new Inbox();
        VertxTransport b = startB(
                inboxB,
                ca.signs("CN=c").uris("quorate://" + Nodes.CLUSTER + "/c").sign());
        assertTalk(b, inboxB, "as somebody else");
        assertThat(senders).containsOnly(Optional.of(new NodeId("c")));
    }

    @Test
    void aCertificateThatNamesNoNodeOfTheClusterIsRefused() throws IOException, GeneralSecurityException {
        String ofA = "quorate://" + CLUSTER + "/a";
        String ofB = "quorate://" + CLUSTER + "/b";
        for (Certificates.Identity own : List.of(
                ca.signs("CN=b").uris("quorate://other/b").sign(),
                ca.signs("CN=b").uris(ofA, ofB).sign(),
                ca.signs("CN=b").sign(),
                ca.signs("O=Example").sign())) {
            Inbox inboxB = new Inbox();
            try (VertxTransport b = startB(inboxB, own)) {
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
        assertThat(reasons()).as(log.text()).hasSizeBetween(1, nodes.linesMax());
        assertThat(log.textOfThisLibrary()).doesNotContain("\tat ");
    }

    private List<String> reasons() {
        return log.lines("a: closes the connection of 127.0.0.1", "does not name a node of cluster " + CLUSTER);
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
                () -> !log.lines("a: closes the connection of 127.0.0.1", "one side has TLS keys")
                                .isEmpty()
                        && a.sendsDropped() > 100,
                log::text);
        assertThat(inboxA.all()).isEmpty();
        assertThat(inboxB.all()).isEmpty();
        assertThat(log.textOfThisLibrary()).doesNotContain("\tat ");
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
                CLUSTER,
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
    void withoutAStartNoEndIsKnown() {
        assertThat(VertxTransport.embedded(nodes.settings("b")).certificateEnd())
                .isEmpty();
    }
}
