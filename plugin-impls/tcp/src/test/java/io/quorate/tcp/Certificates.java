package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority and what it signs, made with the JDK's keytool. All certificates have the same key, to save time. */
final class Certificates {

    private static final String PASSWORD = "a test's password";

    private final Path directory;
    private final Path store;
    private final Path request;
    private final Path password;
    private final Path ca;
    private final PrivateKey key;

    Certificates(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        this.directory = directory;
        store = directory.resolve("all.p12");
        request = directory.resolve("request.pem");
        password = directory.resolve("password.txt");
        Files.writeString(password, PASSWORD + "\n");
        for (String authority : List.of("ca", "other-ca")) {
            keytool("-genkeypair", "-alias", authority, "-dname", "CN=" + authority, "-ext", "bc:c", "-keyalg", "EC");
        }
        ca = directory.resolve("ca.crt");
        keytool("-exportcert", "-rfc", "-alias", "ca", "-file", ca.toString());
        keytool("-genkeypair", "-alias", "key", "-dname", "CN=nobody", "-keyalg", "EC");
        keytool("-certreq", "-alias", "key", "-file", request.toString());
        KeyStore all = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            all.load(in, PASSWORD.toCharArray());
        }
        key = (PrivateKey) all.getKey("key", PASSWORD.toCharArray());
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).as(output).isZero();
    }

    private static X509Certificate read(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    /** A certificate in a PEM file, signed by this authority. */
    Path signed(String authority, String subject, String... options) throws IOException, InterruptedException {
        Path file = Files.createTempFile(directory, "signed", ".crt");
        List<String> arguments = new ArrayList<>(List.of(
                "-gencert",
                "-rfc",
                "-alias",
                authority,
                "-infile",
                request.toString(),
                "-outfile",
                file.toString(),
                "-dname",
                subject));
        arguments.addAll(List.of(options));
        keytool(arguments.toArray(String[]::new));
        return file;
    }

    static X509Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        return read(file);
    }

    /** The certificate of the first authority, whose key is another one. */
    Path ca() {
        return ca;
    }

    /** The certificate, the key and the first authority, as three PEM files. */
    Tls pem(Path certificate) throws IOException {
        Path keyFile = directory.resolve("key.pem");
        Files.writeString(
                keyFile,
                "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key.getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        return Tls.pem(certificate, keyFile, ca);
    }

    /** As {@link #pem}, in a store. */
    Tls keyStore(Path certificate) throws IOException, GeneralSecurityException {
        KeyStore made = KeyStore.getInstance("PKCS12");
        made.load(null, null);
        made.setKeyEntry("own", key, PASSWORD.toCharArray(), new Certificate[] {read(certificate)});
        made.setCertificateEntry("ca", read(ca));
        Path file = Files.createTempFile(directory, "store", ".p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            made.store(out, PASSWORD.toCharArray());
        }
        return Tls.keyStore(file, password);
    }
}
