package io.quorate.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.Problem;
import io.quorate.spi.Tls;
import io.quorate.testkit.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When files are read again, and what is said of them. The clock is the test's. */
class KeyringTest {

    private static final Instant END = Instant.now().plus(Duration.ofDays(365)).truncatedTo(ChronoUnit.SECONDS);

    @TempDir
    private Path directory;

    private Certificates.Identity authority;
    private Path certificate;
    private Path key;
    private Keyring keyring;
    private Instant now = Instant.now();

    @BeforeEach
    void make() throws IOException, GeneralSecurityException {
        authority = Certificates.authority("CN=ca");
        certificate = directory.resolve("n1.crt");
        key = directory.resolve("n1.key");
        Certificates.Identity own = issued(END);
        put(own);
        Path trust = Certificates.certificates(directory.resolve("ca.crt"), authority.certificate());
        keyring = new Keyring(Tls.pem(certificate, key, trust), () -> now);
    }

    private Certificates.Identity issued(Instant end) throws IOException, GeneralSecurityException {
        return authority
                .signs("CN=n1,O=Example")
                .during(END.minus(Duration.ofDays(400)), end)
                .sign();
    }

    private void put(Certificates.Identity own) throws IOException {
        Certificates.key(key, own);
        Certificates.certificates(certificate, own.certificate());
    }

    private void after(Duration time) {
        now = now.plus(time);
    }

    // As JDK 17 says it, and JDK 25.
    @ParameterizedTest
    @ValueSource(strings = {"", "(certificate_required) "})
    void whatTheOtherSideLacksIsSaidInWordsOfOurs(String before) {
        SSLHandshakeException none = new SSLHandshakeException(before + "Empty client certificate chain");
        assertThat(keyring.reason(none))
                .isEqualTo("the other side has no certificate of an authority that is trusted here");
        SSLHandshakeException alert = new SSLHandshakeException(before + "Received fatal alert: certificate_unknown");
        assertThat(keyring.reason(alert)).startsWith("the other side refuses our certificate, of CN=n1");
        SSLHandshakeException other = new SSLHandshakeException(before + "Received fatal alert: internal_error");
        assertThat(keyring.reason(other)).isEqualTo(other.getMessage());
    }

    @Test
    void changedFilesAreReadAgain() throws IOException, GeneralSecurityException {
        Object before = keyring.context();
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.context()).isSameAs(before);
        Instant later = END.plus(Duration.ofDays(365));
        put(issued(later));
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.context()).isNotSameAs(before);
        assertThat(keyring.end()).isEqualTo(later);
    }

    /** As long as any other one. */
    private void putPadded(Instant end) throws IOException, GeneralSecurityException {
        put(issued(end));
        for (Path file : List.of(key, certificate)) {
            Files.writeString(file, "\n".repeat(4096 - (int) Files.size(file)), StandardOpenOption.APPEND);
        }
    }

    // A tick of the clock of files is some milliseconds, or seconds.
    @Test
    void filesOfTheSameTimeAndLengthAreReadAgain() throws IOException, GeneralSecurityException {
        putPadded(END);
        assertThat(keyring.look()).isEmpty();
        FileTime keyWritten = Files.getLastModifiedTime(key);
        FileTime certificateWritten = Files.getLastModifiedTime(certificate);
        Instant later = END.plus(Duration.ofDays(365));
        putPadded(later);
        Files.setLastModifiedTime(key, keyWritten);
        Files.setLastModifiedTime(certificate, certificateWritten);
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.end()).isEqualTo(later);
    }

    // Once for what is there; and a look after the last file was replaced finds all of them right.
    @Test
    void filesThatDoNotFitAreSaidOnceAndChangeNothing() throws IOException, GeneralSecurityException {
        Object before = keyring.context();
        Certificates.Identity next = issued(END);
        Certificates.certificates(certificate, next.certificate());
        assertThat(keyring.look())
                .contains("goes on with the former keys: tls key '" + key
                        + "': is another key than that of the certificate");
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.problem().orElseThrow().kind()).isEqualTo(Problem.Kind.KEYS);
        assertThat(keyring.problem().orElseThrow().text())
                .isEqualTo("goes on with the former keys: tls key '" + key
                        + "': is another key than that of the certificate");
        assertThat(keyring.context()).isSameAs(before);
        Files.delete(key);
        assertThat(keyring.look().orElseThrow()).contains("tls key '" + key + "': cannot be read");
        Files.createDirectory(key);
        assertThat(keyring.look().orElseThrow()).contains("tls key '" + key + "': cannot be read: must be a regular");
        Files.delete(key);
        Certificates.key(key, next);
        assertThat(keyring.problem()).isPresent();
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.problem()).isEmpty();
        assertThat(keyring.context()).isNotSameAs(before);
    }

    /** The key's file is not what it was; answers what is said of that. */
    private String broken(KeyFault fault) throws IOException {
        Files.deleteIfExists(key);
        fault.put(key);
        String said = keyring.look().orElseThrow();
        assertThat(keyring.look()).as("once").isEmpty();
        return said;
    }

    @FunctionalInterface
    private interface KeyFault {
        void put(Path file) throws IOException;
    }

    private Certificates.Identity naming(String... uris) throws IOException, GeneralSecurityException {
        return authority.signs("CN=n1,O=Example").uris(uris).sign();
    }

    // As when an operator copies the files of the neighbour, or of the same node in the test cluster. The authority is
    // the same.
    @ParameterizedTest
    @ValueSource(strings = {"quorate://shop/n2", "quorate://test/n1", ""})
    void keysOfAnotherNodeAreSaidOnceAndChangeNothing(String other) throws IOException, GeneralSecurityException {
        put(naming("quorate://shop/n1"));
        keyring = new Keyring(Tls.pem(certificate, key, directory.resolve("ca.crt")), () -> now);
        Object before = keyring.context();
        put(other.isEmpty() ? naming() : naming(other));
        assertThat(keyring.look())
                .contains("goes on with the former keys: the certificate in '" + certificate + "' is that of "
                        + (other.isEmpty() ? "CN=n1, O=Example" : other)
                        + ": must name quorate://shop/n1 as the former one does; put the keys of this node in its"
                        + " place");
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.context()).isSameAs(before);
        put(naming("quorate://shop/n1"));
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.context()).isNotSameAs(before);
    }

    // Its certificate need not name a node.
    @Test
    void keysOfAServerForHttpsMayBeReplacedByAny() throws IOException, GeneralSecurityException {
        Object before = keyring.context();
        put(naming("quorate://shop/n1"));
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.context()).isNotSameAs(before);
    }

    // Twice each, with the former file in between: a fault that comes again is news.
    @Test
    void returningFaultIsLoggedAgain() throws IOException {
        Object before = keyring.context();
        String good = Files.readString(key);
        Map<String, KeyFault> faults = Map.of(
                "NoSuchFileException",
                file -> {},
                "regular file",
                Files::createDirectory,
                "NoSuchFileException: " + key,
                file -> Files.createSymbolicLink(file, directory.resolve("nothing")),
                "longer than",
                file -> Files.write(file, new byte[1024 * 1024 + 1]),
                "has no BEGIN PRIVATE KEY",
                file -> Files.writeString(file, good.substring(0, good.length() / 2)));
        for (Map.Entry<String, KeyFault> fault : faults.entrySet()) {
            for (int i = 0; i < 2; i++) {
                assertThat(broken(fault.getValue())).contains("goes on with the former keys", fault.getKey());
                Files.deleteIfExists(key);
                Files.writeString(key, good);
                assertThat(keyring.look()).isEmpty();
                assertThat(keyring.context()).isSameAs(before);
            }
        }
    }

    // As Kubernetes replaces the files of a secret: all at one instant, behind a link to their directory.
    @Test
    void filesBehindALinkThatIsSwitchedAreReadAgain() throws IOException, GeneralSecurityException {
        Instant later = END.plus(Duration.ofDays(365));
        Path data = directory.resolve("..data");
        for (Instant end : List.of(END, later)) {
            Path version =
                    Files.createDirectory(directory.resolve(end.toString().replace(':', '-')));
            Certificates.Identity own = issued(end);
            Certificates.key(version.resolve("key"), own);
            Certificates.certificates(version.resolve("crt"), own.certificate());
            Path next = Files.createSymbolicLink(directory.resolve("..next"), version);
            Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
            if (end.equals(END)) {
                keyring = new Keyring(
                        Tls.pem(data.resolve("crt"), data.resolve("key"), directory.resolve("ca.crt")), () -> now);
            }
            assertThat(keyring.look()).isEmpty();
            assertThat(keyring.end()).isEqualTo(end);
        }
    }

    @Test
    void theEndIsSaidOnceADayFromThirtyDaysBefore() {
        now = END.minus(Keyring.WARNED_BEFORE).minusSeconds(1);
        assertThat(keyring.look()).isEmpty();
        after(Duration.ofSeconds(1));
        assertThat(keyring.look())
                .contains("the certificate of CN=n1, O=Example in '" + certificate + "' ends at " + END
                        + ": put another one in its place, or no peer takes a connection from then on");
        after(Duration.ofHours(23));
        assertThat(keyring.look()).isEmpty();
        after(Duration.ofHours(1));
        assertThat(keyring.look()).isPresent();
        now = END;
        assertThat(keyring.look().orElseThrow()).contains("has ended at " + END);
    }

    @Test
    void aNewCertificateThatEndsSoonIsSaidAtOnce() throws IOException, GeneralSecurityException {
        now = END.minus(Duration.ofDays(29));
        assertThat(keyring.look()).isPresent();
        put(issued(END.minus(Duration.ofDays(10))));
        assertThat(keyring.look().orElseThrow()).contains("ends at " + END.minus(Duration.ofDays(10)));
        put(issued(END.plus(Duration.ofDays(10))));
        assertThat(keyring.look()).isEmpty();
    }

    // What the other side is shown is as good as its shortest part.
    @Test
    void theFirstEndInTheChainCounts() throws IOException, GeneralSecurityException {
        Instant first = END.minus(Duration.ofDays(100));
        Certificates.Identity between = authority
                .signs("CN=between")
                .during(END.minus(Duration.ofDays(400)), first)
                .asAuthority()
                .sign();
        Certificates.Identity own = between.signs("CN=n1")
                .during(END.minus(Duration.ofDays(400)), END)
                .sign();
        Certificates.key(key, own);
        Certificates.certificates(certificate, own.certificate(), between.certificate());
        assertThat(keyring.look()).isEmpty();
        assertThat(keyring.end()).isEqualTo(first);
        now = first.minus(Keyring.WARNED_BEFORE);
        assertThat(keyring.look())
                .contains("the certificate of CN=between in '" + certificate + "' ends at " + first
                        + ": put another one in its place, or no peer takes a connection from then on");
    }

    // A store has both in one file. The node's own certificate is far from its end.
    @Test
    void theEndOfATrustedAuthorityIsSaidToo() throws IOException, GeneralSecurityException {
        Path store = directory.resolve("n1.p12");
        Path password = Certificates.password(directory.resolve("password"));
        Instant first = END.minus(Duration.ofDays(100));
        Certificates.Identity old = authority
                .signs("CN=old")
                .during(END.minus(Duration.ofDays(400)), first)
                .asAuthority()
                .sign();
        Certificates.store(store, issued(END), authority.certificate(), old.certificate());
        Keyring ofStore = new Keyring(Tls.keyStore(store, password), () -> now);
        assertThat(ofStore.end()).isEqualTo(END);
        now = first.minus(Keyring.WARNED_BEFORE);
        assertThat(ofStore.look())
                .contains("the trusted certificate of CN=old in '" + store + "' ends at " + first
                        + ": bring in a new authority, and take this one out of the file");
        assertThat(ofStore.look()).isEmpty();
        now = END;
        assertThat(ofStore.look().orElseThrow()).contains("CN=n1, O=Example", "CN=old", "has ended at");
    }

    // A transport looks on a thread that nobody watches: what is thrown there would end all further looks in silence.
    @Test
    void aLookThatFailsIsSaidOnceAndTheNextOneComes() {
        Instant before = now;
        now = null;
        assertThat(keyring.look().orElseThrow()).startsWith("cannot look at the files of the keys [" + certificate);
        assertThat(keyring.look()).isEmpty();
        now = before;
        assertThat(keyring.look()).isEmpty();
        now = END;
        assertThat(keyring.look()).isPresent();
    }

    @Test
    void filesThatAreWrongAtTheBeginningAreRefused() throws IOException {
        Files.writeString(certificate, "nothing");
        Tls tls = Tls.pem(certificate, key, directory.resolve("ca.crt"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Keyring(tls))
                .withMessageContaining("tls certificate '" + certificate + "': has no BEGIN CERTIFICATE");
    }

    // What a stranger chooses is not what the JDK says.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CN=Received fatal alert: unknown_ca",
                "CN=not an SSL/TLS record",
                "CN=Empty client certificate chain"
            })
    void aStrangersNameIsNoReason(String name) {
        String said = "the certificate of " + name + " is refused: unable to find valid certification path";
        assertThat(keyring.reason(new SSLHandshakeException(said))).isEqualTo(said);
    }

    // The wall clock shows some years too many once.
    @Test
    void anEndThatWasSaidByAWrongClockIsSaidAgain() {
        now = END.plus(Duration.ofDays(700));
        assertThat(keyring.look()).isPresent();
        now = END.minus(Duration.ofDays(2));
        assertThat(keyring.look()).isPresent();
        assertThat(keyring.look()).isEmpty();
    }
}
