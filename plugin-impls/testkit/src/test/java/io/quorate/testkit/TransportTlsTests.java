package io.quorate.testkit;

import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * TLS with certificates of both sides, on a transport. Node a is right in all tests.
 *
 * @param <T> the transport
 */
public abstract class TransportTlsTests<T extends Transport> {

    protected static final String CLUSTER = "test.cluster";

    private static final String URI_OF_B = "quorate://" + CLUSTER + "/b";
    protected static final NodeId A = new NodeId("a");
    protected static final NodeId B = new NodeId("b");

    private static final Duration FIVE_DAYS = Duration.ofDays(5);
    private static final Duration TEN_DAYS = Duration.ofDays(10);

    @TempDir
    private static Path directory;

    protected static Certificates files;
    protected static Certificates.Identity ca;
    protected static Certificates.Identity ofA;
    protected static Certificates.Identity ofB;

    protected final Inbox inboxA = new Inbox();
    /** Who has proved to have sent what a has received. */
    protected final Queue<Optional<NodeId>> senders = new ConcurrentLinkedQueue<>();

    protected CapturedLog log;
    protected T a;

    /** The addresses of a and b, the same during a test. */
    protected abstract Map<NodeId, HostAndPort> addresses();

    /** Starts a transport that is closed at the end of the test. */
    protected abstract T start(Settings settings, Transport.Receiver receiver);

    @BeforeAll
    static void sign() throws IOException, GeneralSecurityException {
        files = new Certificates(directory);
        ca = Certificates.authority("CN=ca");
        ofA = ca.signs("CN=anything").uris("quorate://" + CLUSTER + "/a").sign();
        ofB = ca.signs("CN=b").uris(URI_OF_B).sign();
    }

    // The keys of a are in a store, and those of the others in PEM files.
    @BeforeEach
    void startA() throws IOException, GeneralSecurityException {
        log = new CapturedLog();
        a = start(
                "a",
                (sender, frame) -> {
                    senders.add(sender);
                    return inboxA.received(sender, frame);
                },
                files.keyStore(ofA, ca.certificate()));
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    protected final T start(String name, Transport.Receiver receiver, Tls tls) {
        return start(
                new Settings(CLUSTER, new NodeId(name), addresses(), Optional.empty(), Optional.of(tls)), receiver);
    }

    /** Where a listens. */
    protected final HostAndPort addressOfA() {
        return addresses().get(A);
    }

    protected static Tls pem(Certificates.Identity own) throws IOException {
        return files.pem(own, ca.certificate());
    }

    /** A certificate of b that has ended. */
    protected static Certificates.Identity ended() throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        return ca.signs("CN=b")
                .uris(URI_OF_B)
                .during(now.minus(TEN_DAYS), now.minus(FIVE_DAYS))
                .sign();
    }

    /** A certificate of b that has not begun. */
    protected static Certificates.Identity notBegun() throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        return ca.signs("CN=b")
                .uris(URI_OF_B)
                .during(now.plus(FIVE_DAYS), now.plus(TEN_DAYS))
                .sign();
    }

    /** What a and b send is received by the other. */
    protected final void assertTalk(Transport b, Inbox inboxB, String text) {
        repeat(() -> b.send(A, frame(text)), () -> inboxA.has(text), log::text);
        repeat(() -> a.send(B, frame(text)), () -> inboxB.has(text), log::text);
    }

    @Test
    void membersTalk() throws IOException {
        Inbox inboxB = new Inbox();
        Transport b = start("b", inboxB, pem(ofB));
        for (String text : List.of("", "short", "x".repeat(Transport.FRAME_LENGTH_MAX))) {
            assertTalk(b, inboxB, text);
        }
        assertThat(log.textOfThisLibrary()).doesNotContain("\tat ");
    }

    @Test
    void aClientWithoutACertificateIsRefused() {
        TlsProbe stranger = new TlsProbe(addressOfA().toString());
        assertThat(stranger.shows(ofA.certificate())).isTrue();
        assertThat(stranger.takesAnybody()).isFalse();
        await(
                () -> !log.lines("a: closes the connection of 127.0.0.1", "has no certificate of an authority")
                        .isEmpty(),
                log::text);
    }

    // Both say it, whichever of them dials.
    @Test
    void keysOnOneSideOnlyAreToldByBothSides() {
        T b = start(new Settings(CLUSTER, B, addresses()), new Inbox());
        String line = "one side has TLS keys, the other has none";
        repeat(
                () -> {
                    b.send(A, frame("from b"));
                    a.send(B, frame("from a"));
                },
                () -> !log.lines("WARN", "a: closes the connection of 127.0.0.1", line)
                                .isEmpty()
                        && !log.lines("WARN", "b: closes the connection of 127.0.0.1", line)
                                .isEmpty(),
                log::text);
        assertThat(log.textOfThisLibrary()).doesNotContain("\tat ", "length 3", "SSL", "fault");
    }

    // Whoever refuses one names whose it is, and its end; whoever is refused hears that it is the own certificate.
    @Test
    void aRefusedCertificateIsToldWithItsNodeAndItsEnd() throws IOException, GeneralSecurityException {
        Certificates.Identity ended = ended();
        T b = start("b", new Inbox(), pem(ended));
        String whose = URI_OF_B + ", which has ended at "
                + ended.certificate().getNotAfter().toInstant();
        repeat(
                () -> {
                    b.send(A, frame("from b"));
                    a.send(B, frame("from a"));
                },
                () -> !log.lines("a: ", "the certificate of " + whose + ", is refused: NotAfter")
                                .isEmpty()
                        && !log.lines("b: ", "the other side refuses our certificate, of " + whose)
                                .isEmpty(),
                log::text);
        assertTlsProblem(a, "b", whose + ", is refused");
        assertTlsProblem(b, "a", "the other side refuses our certificate, of " + whose);
        // Problems end with the fault.
        b.close();
        T repaired = start("b", new Inbox(), pem(ofB));
        repeat(() -> repaired.send(A, frame("b")), () -> inboxA.has("b"), log::text);
        repeat(() -> a.send(B, frame("a")), () -> a.problems().isEmpty(), log::text);
        assertThat(repaired.problems()).isEmpty();
    }

    /** Attempts fail for other reasons as well, for example while both dial. */
    private void assertTlsProblem(Transport of, String peer, String text) {
        repeat(
                () -> of.send(new NodeId(peer), frame("again")),
                () -> of.problems().stream()
                        .anyMatch(problem -> problem.kind() == Problem.Kind.TLS
                                && problem.text().contains(text)),
                () -> of.problems() + log.text());
    }

    @Test
    void theEndOfTheCertificateIsKnown() {
        assertThat(a.certificateEnd()).contains(ofA.certificate().getNotAfter().toInstant());
    }

    @Test
    void aFileThatIsMissingIsNamedAtTheStart() {
        Tls missing = Tls.pem(directory.resolve("no.crt"), directory.resolve("no.key"), directory.resolve("ca"));
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> start("b", new Inbox(), missing))
                .withMessageContaining("cannot listen at " + addresses().get(B))
                .withMessageContaining("no.crt");
    }
}
