package io.quorate.spi;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Where a node's certificate, its key and what it trusts stand in files. Nothing is read before {@link #read}. An
 * immutable value, which several nodes may share.
 */
public final class Tls {

    private static final Pattern PEM_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final char[] IN_MEMORY = {};
    /** A week: RFC 8446, 4.6.1. */
    private static final int TICKET_SECONDS_MAX = 604_800;

    private final List<Path> files;
    private final Source source;

    /** Reads the files. */
    @FunctionalInterface
    private interface Source {
        Keys read() throws IOException, GeneralSecurityException;
    }

    /**
     * What the files hold.
     *
     * @param context     makes engines that show the certificate and believe what is trusted
     * @param certificate the node's own
     */
    public record Keys(SSLContext context, X509Certificate certificate) {
        /**
         * Both are needed.
         *
         * @param context     not null
         * @param certificate not null
         * @throws NullPointerException if an argument is null
         */
        public Keys {
            Objects.requireNonNull(context, "context");
            Objects.requireNonNull(certificate, "certificate");
        }
    }

    private Tls(List<Path> files, Source source) {
        this.files = files;
        this.source = source;
    }

    /**
     * Names three PEM files.
     *
     * @param certificate the node's certificate, and those between it and the authority, in this order
     * @param key         the key, in PKCS #8 ({@code BEGIN PRIVATE KEY}) and without a password
     * @param trust       the certificates of the authorities that are trusted, and no others
     * @return keys in these files
     * @throws NullPointerException if an argument is null
     */
    public static Tls pem(Path certificate, Path key, Path trust) {
        return new Tls(List.of(certificate, key, trust), () -> {
            List<X509Certificate> chain = certificates(certificate);
            KeyStore own = emptyStore();
            PrivateKey ownKey = key(key, chain.get(0));
            checkPair(ownKey, chain.get(0).getPublicKey());
            own.setKeyEntry("own", ownKey, IN_MEMORY, chain.toArray(Certificate[]::new));
            KeyStore trusted = emptyStore();
            for (X509Certificate authority : certificates(trust)) {
                trusted.setCertificateEntry("authority " + trusted.size(), authority);
            }
            return keys(own, IN_MEMORY, trusted, chain.get(0));
        });
    }

    /**
     * Names a PKCS #12 store, as {@code keytool} makes it, with one key and its certificates, and with the certificates
     * of the authorities that are trusted.
     *
     * @param store        the store
     * @param passwordFile its first line is the password of the store and of the key
     * @return keys in this store
     * @throws NullPointerException if an argument is null
     */
    public static Tls keyStore(Path store, Path passwordFile) {
        return new Tls(List.of(store, passwordFile), () -> {
            char[] password = Files.readString(passwordFile)
                    .lines()
                    .findFirst()
                    .orElse("")
                    .toCharArray();
            KeyStore all = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                all.load(in, password);
            }
            KeyStore trusted = emptyStore();
            List<X509Certificate> own = new ArrayList<>();
            for (String alias : Collections.list(all.aliases())) {
                if (all.getCertificate(alias) instanceof X509Certificate certificate) {
                    if (all.isKeyEntry(alias)) {
                        own.add(certificate);
                    } else {
                        trusted.setCertificateEntry(alias, certificate);
                    }
                }
            }
            if (own.size() != 1 || trusted.size() == 0) {
                throw new GeneralSecurityException("store with " + own.size() + " keys and " + trusted.size()
                        + " trusted certificates: must have one key, and one trusted certificate or more");
            }
            return keys(all, password, trusted, own.get(0));
        });
    }

    /**
     * Reads the files, as they are now.
     *
     * @return what they hold
     * @throws IllegalArgumentException if a file cannot be read or holds something else; the message names the files
     */
    public Keys read() {
        try {
            return source.read();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            // Justification: a decoder says with an IllegalArgumentException that a file is no Base64.
            throw new IllegalArgumentException("tls " + files + ": " + e, e);
        }
    }

    /**
     * Tells whether the files have changed between two calls.
     *
     * @return a number that is another one when a file was written, replaced, or has gone
     */
    public long stamp() {
        long stamp = 1;
        for (Path file : files) {
            try {
                stamp = 31 * stamp + Files.getLastModifiedTime(file).toMillis();
                stamp = 31 * stamp + Files.size(file);
            } catch (IOException e) {
                stamp = 31 * stamp;
            }
        }
        return stamp;
    }

    @Override
    public String toString() {
        return files.toString();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, IN_MEMORY);
        return store;
    }

    private static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate each : found) {
            if (each instanceof X509Certificate certificate) {
                certificates.add(certificate);
            }
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException(file + ": holds no certificate");
        }
        return certificates;
    }

    private static PrivateKey key(Path file, X509Certificate certificate) throws IOException, GeneralSecurityException {
        Matcher pem = PEM_KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        if (!pem.find()) {
            throw new GeneralSecurityException(
                    file + ": holds no BEGIN PRIVATE KEY; openssl pkcs8 -topk8 -nocrypt makes one");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
        return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    /** A certificate was replaced and its key was not, or the other way round: no handshake would succeed. */
    private static void checkPair(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        String algorithm =
                switch (certified.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    case "EdDSA" -> "EdDSA";
                    default -> "";
                };
        if (algorithm.isEmpty()) {
            return;
        }
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(certified);
        if (!verifying.verify(signing.sign())) {
            throw new GeneralSecurityException("the key is not that of the certificate");
        }
    }

    private static Keys keys(KeyStore own, char[] password, KeyStore trusted, X509Certificate certificate)
            throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, password);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        // Longer than RFC 8446 lets a ticket live, so none is given: each connection shows its certificate anew.
        context.getServerSessionContext().setSessionTimeout(TICKET_SECONDS_MAX + 1);
        return new Keys(context, certificate);
    }
}
