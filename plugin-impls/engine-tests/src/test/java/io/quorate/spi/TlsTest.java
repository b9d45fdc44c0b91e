package io.quorate.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.testkit.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files are taken, and what is said of the others: file and rule, and nothing of what a file holds. */
class TlsTest {

    @TempDir
    private static Path directory;

    private static Certificates files;
    private static Certificates.Identity authority;
    private static Certificates.Identity own;
    private static Path certificate;
    private static Path key;
    private static Path trust;

    @BeforeAll
    static void make() throws IOException, GeneralSecurityException {
        files = new Certificates(directory);
        authority = Certificates.authority("CN=ca");
        own = authority.signs("CN=n1").sign();
        certificate = Certificates.certificates(directory.resolve("n1.crt"), own.certificate());
        key = Certificates.key(directory.resolve("n1.key"), own);
        trust = Certificates.certificates(directory.resolve("ca.crt"), authority.certificate());
    }

    private static Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void filesAndStoreHoldTheSame() throws IOException, GeneralSecurityException {
        assertThat(Tls.pem(certificate, key, trust).read().certificate()).isEqualTo(own.certificate());
        assertThat(files.keyStore(own, authority.certificate()).read().certificate())
                .isEqualTo(own.certificate());
    }

    // What openssl writes above a certificate, and a bundle of several authorities.
    @Test
    void textBetweenTheCertificatesIsSkipped() throws IOException {
        Path bundle = file(
                "bundle.crt",
                "Certificate:\n    Data:\n" + Files.readString(trust) + "# another one\n"
                        + Files.readString(certificate));
        assertThat(Tls.pem(certificate, key, bundle).read()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'', has no BEGIN PRIVATE KEY: must be PKCS #8 without a password",
        "'-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----', has no BEGIN PRIVATE KEY",
        "'-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----', openssl pkcs8 -topk8 -nocrypt",
        "'-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'must be the key of the certificate, for EC'"
    })
    void aKeyInAnotherFormIsNamedWithTheRule(String text, String rule) throws IOException {
        Path wrong = file("wrong.key", text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(certificate, wrong, trust).read())
                .withMessageStartingWith("tls key '" + wrong + "': ")
                .withMessageContaining(rule);
    }

    @Test
    void aKeyOfAnotherCertificateIsNamed() throws IOException, GeneralSecurityException {
        Path other = Certificates.key(
                directory.resolve("other.key"), authority.signs("CN=n1").sign());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(certificate, other, trust).read())
                .withMessage("tls key '" + other + "': is another key than that of the certificate");
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048);
        Path another = file(
                "rsa.key",
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(
                                        rsa.generateKeyPair().getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(certificate, another, trust).read())
                .withMessageStartingWith("tls key '" + another + "': must be the key of the certificate, for EC");
    }

    @Test
    void allFaultsAreInOneMessage() throws IOException {
        Path none = directory.resolve("none");
        Path text = file("some.txt", "hunter2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(none, text, text).read())
                .withMessageContaining("tls certificate '" + none + "': cannot be read: ")
                .withMessageContaining("tls trust '" + text + "': has no BEGIN CERTIFICATE: must be PEM")
                .withMessageContaining("tls key '" + text + "': has no BEGIN PRIVATE KEY")
                .withMessageNotContaining("hunter2");
    }

    @Test
    void aFileThatIsFarTooLongIsNotRead() throws IOException {
        Path wrong = file("long.crt", "x".repeat(Tls.FILE_LENGTH_MAX + 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.pem(wrong, key, trust).read())
                .withMessage("tls certificate '" + wrong + "': is longer than 1048576 bytes: must be another file");
    }

    @Test
    void aStoreThatIsNoneOrHasAnotherPasswordIsNamed() throws IOException, GeneralSecurityException {
        Path password = Certificates.password(directory.resolve("right.txt"));
        Path store = Certificates.store(directory.resolve("n1.p12"), own, authority.certificate());
        Path wrong = file("wrong.txt", "changeit\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.keyStore(store, wrong).read())
                .withMessageStartingWith("tls keyStore '" + store + "': must be a PKCS #12 store with the password")
                .withMessageContaining(wrong.toString())
                .withMessageNotContaining("changeit");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.keyStore(trust, password).read())
                .withMessageStartingWith("tls keyStore '" + trust + "': must be a PKCS #12 store");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.keyStore(directory.resolve("x"), directory.resolve("y"))
                        .read())
                .withMessageContaining("tls passwordFile '" + directory.resolve("y") + "': cannot be read")
                .withMessageContaining("tls keyStore '" + directory.resolve("x") + "': cannot be read");
    }

    @Test
    void aStoreHasOneKeyAndATrustedCertificate() throws IOException, GeneralSecurityException {
        Path password = Certificates.password(directory.resolve("right.txt"));
        Path lonely = Certificates.store(directory.resolve("lonely.p12"), own);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.keyStore(lonely, password).read())
                .withMessage("tls keyStore '" + lonely + "': has 1 keys and 0 trusted certificates: must have one key,"
                        + " and one trusted certificate or more");
        KeyStore keyless = KeyStore.getInstance("PKCS12");
        keyless.load(null, null);
        keyless.setCertificateEntry("ca", authority.certificate());
        Path without = directory.resolve("keyless.p12");
        try (var out = Files.newOutputStream(without)) {
            keyless.store(out, Certificates.PASSWORD.toCharArray());
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tls.keyStore(without, password).read())
                .withMessageContaining("has 0 keys and 1 trusted certificates");
    }
}
