package io.quorate.testkit;

import io.quorate.spi.Tls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;

/**
 * Authorities and the certificates that they sign, without keytool, which takes half a second for each. All are X.509
 * version 3 with keys on the curve P-256.
 */
public final class Certificates {

    /** Of all stores. */
    public static final String PASSWORD = "a test's password";

    // Tags and identifiers of the encoding DER.
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int UTC_TIME = 0x17;
    private static final byte[] TRUE = {0x01, 0x01, (byte) 0xff};
    private static final byte[] ECDSA_WITH_SHA256 = {0x06, 8, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 4, 3, 2};
    private static final byte[] BASIC_CONSTRAINTS = {0x06, 3, 0x55, 0x1d, 0x13};
    private static final byte[] ALTERNATIVE_NAMES = {0x06, 3, 0x55, 0x1d, 0x11};
    private static final byte[] MAY_SIGN = extension(BASIC_CONSTRAINTS, true, der(SEQUENCE, TRUE));
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path directory;
    private int files;

    /** @param directory where files are made */
    public Certificates(Path directory) {
        this.directory = directory;
    }

    /** A key, and the certificate that goes with it. */
    public record Identity(X509Certificate certificate, PrivateKey key) {

        /** What an authority of this identity is to sign. */
        public Request signs(String subject) {
            return new Request(this, subject);
        }
    }

    /** A certificate that is to be signed; it begins an hour ago and lasts a year unless it is told otherwise. */
    public static final class Request {
        private final Identity authority;
        private final String subject;
        private Instant begin = Instant.now().minus(Duration.ofHours(1));
        private Instant end = Instant.now().plus(Duration.ofDays(365));
        private String[] uris = {};
        private String[] hosts = {};
        private boolean isAuthority;

        private Request(Identity authority, String subject) {
            this.authority = authority;
            this.subject = subject;
        }

        /** When it is good. */
        public Request during(Instant from, Instant to) {
            begin = from;
            end = to;
            return this;
        }

        /** Its alternative names that are addresses of things. */
        public Request uris(String... names) {
            uris = names;
            return this;
        }

        /** Its alternative names that are names of machines. */
        public Request hosts(String... names) {
            hosts = names;
            return this;
        }

        /** It may sign others. */
        public Request asAuthority() {
            isAuthority = true;
            return this;
        }

        /** Signed, with a key of its own. */
        public Identity sign() throws IOException, GeneralSecurityException {
            KeyPair own = keyPair();
            byte[] extensions = isAuthority
                    ? MAY_SIGN
                    : uris.length + hosts.length == 0
                            ? new byte[0]
                            : extension(ALTERNATIVE_NAMES, false, names(uris, hosts));
            return new Identity(
                    signed(
                            authority.certificate.getSubjectX500Principal(),
                            authority.key,
                            new X500Principal(subject),
                            own,
                            begin,
                            end,
                            extensions),
                    own.getPrivate());
        }
    }

    /** An authority that has signed itself. */
    public static Identity authority(String subject) throws IOException, GeneralSecurityException {
        KeyPair own = keyPair();
        X500Principal name = new X500Principal(subject);
        Instant now = Instant.now();
        return new Identity(
                signed(
                        name,
                        own.getPrivate(),
                        name,
                        own,
                        now.minus(Duration.ofDays(60)),
                        now.plus(Duration.ofDays(3650)),
                        MAY_SIGN),
                own.getPrivate());
    }

    // ---------------------------------------------------------------- files

    /** Three new PEM files. */
    public Tls pem(Identity own, X509Certificate... trusted) throws IOException {
        return Tls.pem(
                certificates(file("crt"), own.certificate), key(file("key"), own), certificates(file("crt"), trusted));
    }

    /** A new store and the file of its password. */
    public Tls keyStore(Identity own, X509Certificate... trusted) throws IOException, GeneralSecurityException {
        return Tls.keyStore(store(file("p12"), own, trusted), password(file("txt")));
    }

    private Path file(String ending) {
        files++;
        return directory.resolve("made-" + files + "." + ending);
    }

    /** Puts certificates into a PEM file, in one move if it is there already. */
    public static Path certificates(Path file, X509Certificate... certificates) throws IOException {
        StringBuilder text = new StringBuilder();
        for (X509Certificate each : certificates) {
            text.append(pem("CERTIFICATE", encoded(each)));
        }
        return replace(file, text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** Puts a key into a PEM file, in one move if it is there already. */
    public static Path key(Path file, Identity own) throws IOException {
        return replace(file, pem("PRIVATE KEY", own.key.getEncoded()).getBytes(StandardCharsets.US_ASCII));
    }

    /** Makes a store, in one move if it is there already. */
    public static Path store(Path file, Identity own, X509Certificate... trusted)
            throws IOException, GeneralSecurityException {
        KeyStore made = KeyStore.getInstance("PKCS12");
        made.load(null, null);
        made.setKeyEntry("own", own.key, PASSWORD.toCharArray(), new Certificate[] {own.certificate});
        for (X509Certificate each : trusted) {
            made.setCertificateEntry("authority " + made.size(), each);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        made.store(bytes, PASSWORD.toCharArray());
        return replace(file, bytes.toByteArray());
    }

    /** Makes the file of a store's password. */
    public static Path password(Path file) throws IOException {
        return Files.writeString(file, PASSWORD + "\n");
    }

    private static Path replace(Path file, byte[] bytes) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (OutputStream out = Files.newOutputStream(fresh)) {
            out.write(bytes);
        }
        return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + what
                + "-----\n";
    }

    // ---------------------------------------------------------------- DER

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** RFC 5280, section 4.1. */
    private static X509Certificate signed(
            X500Principal issuer,
            PrivateKey with,
            X500Principal subject,
            KeyPair own,
            Instant begin,
            Instant end,
            byte[] extensions)
            throws IOException, GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
        // Any number will do that no other certificate of the authority has.
        byte[] serial = Long.toString(System.nanoTime()).getBytes(StandardCharsets.US_ASCII);
        List<byte[]> parts = new ArrayList<>(List.of(
                new byte[] {(byte) 0xa0, 3, INTEGER, 1, 2},
                der(INTEGER, serial),
                algorithm,
                issuer.getEncoded(),
                der(SEQUENCE, time(begin), time(end)),
                subject.getEncoded(),
                own.getPublic().getEncoded()));
        if (extensions.length > 0) {
            parts.add(der(0xa3, der(SEQUENCE, extensions)));
        }
        byte[] body = der(SEQUENCE, parts.toArray(byte[][]::new));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(with);
        signature.update(body);
        byte[] whole = der(SEQUENCE, body, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] time(Instant at) {
        return der(UTC_TIME, UTC.format(at).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] extension(byte[] what, boolean isCritical, byte[] value) {
        return der(SEQUENCE, what, isCritical ? TRUE : new byte[0], der(OCTET_STRING, value));
    }

    private static byte[] names(String[] uris, String[] hosts) {
        return der(
                SEQUENCE,
                Stream.concat(
                                Arrays.stream(uris).map(uri -> der(0x86, uri.getBytes(StandardCharsets.US_ASCII))),
                                Arrays.stream(hosts).map(host -> der(0x82, host.getBytes(StandardCharsets.US_ASCII))))
                        .toArray(byte[][]::new));
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        made.write(tag);
        int length = content.size();
        // Two bytes are enough for each certificate here, and DER wants no more than are needed.
        if (length >= 0x100) {
            made.write(0x82);
            made.write(length >> 8);
        } else if (length >= 0x80) {
            made.write(0x81);
        }
        made.write(length);
        made.writeBytes(content.toByteArray());
        return made.toByteArray();
    }
}
