package io.quorate.spi;

import io.quorate.jvm.Identity;
import io.quorate.jvm.NamingTrust;
import io.quorate.jvm.SettingFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.KeyStore.PasswordProtection;
import java.security.KeyStore.PrivateKeyEntry;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.spec.PBEParameterSpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Where a node's certificate, its key and what it trusts stand in files. Nothing is read before {@link #read}. An
 * immutable value, which several nodes may share.
 */
public final class Tls {

    /** In bytes. Far more than the authorities of the whole world need: a longer file is another file. */
    static final int FILE_LENGTH_MAX = 1024 * 1024;

    /** What the log of both sides says when a connection is encrypted at one end only. */
    public static final String ONE_SIDE = "one side has TLS keys, the other has none";

    private static final Pattern PEM_CERTIFICATE = pem("CERTIFICATE");
    private static final Pattern PEM_KEY = pem("PRIVATE KEY");
    private static final char[] IN_MEMORY = {};
    /**
     * One round: the ten thousand of the default slow down an attacker who guesses a password, and here is none to
     * guess.
     */
    private static final PasswordProtection NOT_STORED = new PasswordProtection(
            IN_MEMORY, "PBEWithHmacSHA256AndAES_256", new PBEParameterSpec(new byte[Long.BYTES], 1));
    /** A week: RFC 8446, 4.6.1. */
    private static final int TICKET_SECONDS_MAX = 604_800;

    /** How a key shows that it is the other half of a certificate's, by the name of its algorithm. */
    private static final Map<String, String> SIGNATURES =
            Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");

    private final List<Path> files;
    /** What only this node may read: one of the files. */
    private final Path secret;
    /** What holds the authorities: one of the files. */
    private final Path trust;

    private final Source source;

    /** Reads the files, and adds what is wrong with them to the faults; empty if there are faults. */
    @FunctionalInterface
    private interface Source {
        Optional<Keys> read(List<String> faults) throws GeneralSecurityException;
    }

    /** Reads one file, or the part of a file. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException, GeneralSecurityException;
    }

    /**
     * The content of the files.
     *
     * @param context makes engines that show the chain and believe what is trusted
     * @param chain   the node's own certificate, and those between it and the authority, as the other side is shown
     *                them
     * @param trusted the authorities, at least one
     */
    public record Keys(SSLContext context, List<X509Certificate> chain, List<X509Certificate> trusted) {
        /**
         * All are needed; the lists are copied.
         *
         * @param context not null
         * @param chain   at least one
         * @param trusted at least one
         * @throws NullPointerException     if an argument is null or holds null
         * @throws IllegalArgumentException if a list is empty
         */
        public Keys {
            Objects.requireNonNull(context, "context");
            chain = List.copyOf(chain);
            trusted = List.copyOf(trusted);
            Check.argument(!chain.isEmpty(), "chain %s: must have the certificate of the node", chain);
            Check.argument(!trusted.isEmpty(), "trusted %s: must have an authority", trusted);
        }

        /** {@return the node's own certificate} */
        public X509Certificate certificate() {
            return chain.get(0);
        }
    }

    private Tls(List<Path> files, Path secret, Path trust, Source source) {
        this.files = files;
        this.secret = secret;
        this.trust = trust;
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
        return new Tls(List.of(certificate, key, trust), key, trust, faults -> {
            List<X509Certificate> chain = certificates("certificate", certificate, faults);
            List<X509Certificate> authorities = certificates("trust", trust, faults);
            Optional<PrivateKey> own = key(key, chain, faults);
            if (chain.isEmpty() || authorities.isEmpty() || own.isEmpty()) {
                return Optional.empty();
            }
            KeyStore shown = emptyStore();
            shown.setEntry("own", new PrivateKeyEntry(own.get(), chain.toArray(Certificate[]::new)), NOT_STORED);
            return Optional.of(keys(shown, IN_MEMORY, chain, authorities));
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
        return new Tls(List.of(store, passwordFile), passwordFile, store, faults -> {
            Optional<char[]> password = reading(
                    "passwordFile",
                    passwordFile,
                    faults,
                    () -> password(passwordFile).lines().findFirst().orElse("").toCharArray());
            Optional<byte[]> bytes = reading("keyStore", store, faults, () -> bytes(store));
            if (password.isEmpty() || bytes.isEmpty()) {
                return Optional.empty();
            }
            return reading(
                    "keyStore",
                    store,
                    faults,
                    () -> stored(bytes.get(), password.get()),
                    "must be a PKCS #12 store with the password that stands in '" + passwordFile + "'");
        });
    }

    /**
     * Reads the files, as they are now.
     *
     * @return what they hold
     * @throws IllegalArgumentException if files cannot be read or hold something else; the message names each of them,
     *                                  with the rule that it breaks, and nothing of what it holds
     */
    public Keys read() {
        List<String> faults = new ArrayList<>();
        Optional<Keys> keys = Optional.empty();
        try {
            keys = source.read(faults);
        } catch (GeneralSecurityException | RuntimeException e) {
            // Justification: a provider may throw others than those that it declares at what is no key.
            faults.add("tls " + files + ": " + e);
        }
        if (keys.isEmpty() || !faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        return keys.get();
    }

    /**
     * Tells whether a connection without keys begins with TLS: then the other side has keys.
     *
     * @param first what came first, as four bytes in the order of the network
     * @return whether this is the head of a record of TLS; as a length it would be more than 300 MB
     */
    public static boolean isRecord(int first) {
        int type = first >>> 24;
        // RFC 8446, 5.1: change_cipher_spec, alert, handshake, application_data; and the high byte of each version.
        return type >= 20 && type <= 23 && (first >>> 16 & 0xff) == 3;
    }

    /**
     * Tells whether the files have changed between two calls. Reads them: one that is written again within a tick of
     * the file system's clock has the time that it had.
     *
     * @return a number that is another one when a file holds something else, or has gone
     */
    public long stamp() {
        long stamp = 1;
        for (Path file : files) {
            try {
                stamp = 31 * stamp + Arrays.hashCode(SettingFile.bytes(file, FILE_LENGTH_MAX));
            } catch (IOException e) {
                // Another fault is another change.
                stamp = 31 * stamp + String.valueOf(e.getMessage()).hashCode();
            }
        }
        return stamp;
    }

    /**
     * Tells what every user of the machine may do with these files, and should not: read the key, or the password of
     * the store, or change any of them. Where files have no such permissions, nobody can tell.
     *
     * @return a sentence for each such file, with the cure
     */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (Path file : files) {
            SettingFile.exposure(file, file.equals(secret))
                    .map(("tls file '" + file + "': ")::concat)
                    .ifPresent(warnings::add);
        }
        return List.copyOf(warnings);
    }

    /**
     * Reads which node a certificate names: by the one URI {@code quorate://<cluster id>/<node id>} among its
     * alternative names. A common name names no node: any certificate of the same authority has one, for any purpose.
     * Whether the certificate is to be believed is another question.
     *
     * @param certificate any
     * @param clusterId   of the node that asks
     * @return a node of this cluster; empty if the certificate names none, one of another cluster, or several
     */
    public static Optional<NodeId> nodeOf(X509Certificate certificate, String clusterId) {
        try {
            return Identity.idIn(certificate, clusterId).map(NodeId::new);
        } catch (IllegalArgumentException e) {
            // A name that no node can have.
            return Optional.empty();
        }
    }

    /** {@return the file that holds the certificate, for a line of the log} */
    public Path certificateFile() {
        return files.get(0);
    }

    /** {@return the file that holds the authorities, for a line of the log} */
    public Path trustFile() {
        return trust;
    }

    /** {@return the names of the files} */
    @Override
    public String toString() {
        return files.toString();
    }

    // ---------------------------------------------------------------- files

    private static Pattern pem(String what) {
        return Pattern.compile("-----BEGIN " + what + "-----([A-Za-z0-9+/=\\s]+)-----END " + what + "-----");
    }

    private static <T> Optional<T> reading(String what, Path file, List<String> faults, Reading<T> reading) {
        return reading(what, file, faults, reading, "cannot be read");
    }

    /** Returns the value, or empty with one more fault. */
    private static <T> Optional<T> reading(
            String what, Path file, List<String> faults, Reading<T> reading, String rule) {
        try {
            return Optional.of(reading.read());
        } catch (TlsFault e) {
            faults.add("tls " + what + " '" + file + "': " + e.getMessage());
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // Justification: a decoder says with an IllegalArgumentException that a text is no Base64, and a provider
            // may throw others at a file that is no key than those that it declares.
            faults.add("tls " + what + " '" + file + "': " + rule + ": " + e);
        }
        return Optional.empty();
    }

    /** A fault of a file, in words that stand without the name of an exception. */
    private static final class TlsFault extends GeneralSecurityException {
        private static final long serialVersionUID = 1;

        TlsFault(String message) {
            super(message);
        }
    }

    private static byte[] bytes(Path file) throws TlsFault {
        try {
            return SettingFile.bytes(file, FILE_LENGTH_MAX);
        } catch (IOException e) {
            throw new TlsFault(String.valueOf(e.getMessage()));
        }
    }

    private static String text(Path file) throws TlsFault {
        return new String(bytes(file), StandardCharsets.UTF_8);
    }

    private static String password(Path file) throws TlsFault {
        try {
            return new String(SettingFile.text(file, FILE_LENGTH_MAX), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new TlsFault(String.valueOf(e.getMessage()));
        }
    }

    private static byte[] decoded(Matcher block) {
        return Base64.getMimeDecoder().decode(block.group(1));
    }

    /** All of the file, in its order; empty if there is a fault. */
    private static List<X509Certificate> certificates(String what, Path file, List<String> faults) {
        return reading(what, file, faults, () -> {
                    CertificateFactory factory = CertificateFactory.getInstance("X.509");
                    List<X509Certificate> certificates = new ArrayList<>();
                    Matcher blocks = PEM_CERTIFICATE.matcher(text(file));
                    while (blocks.find()) {
                        if (factory.generateCertificate(new ByteArrayInputStream(decoded(blocks)))
                                instanceof X509Certificate certificate) {
                            certificates.add(certificate);
                        }
                    }
                    if (certificates.isEmpty()) {
                        throw new TlsFault("has no BEGIN CERTIFICATE: must be PEM, which openssl x509 makes");
                    }
                    return certificates;
                })
                .orElse(List.of());
    }

    /** The key, if it is that of the first certificate. */
    private static Optional<PrivateKey> key(Path file, List<X509Certificate> chain, List<String> faults) {
        Optional<byte[]> encoded = reading("key", file, faults, () -> {
            Matcher block = PEM_KEY.matcher(text(file));
            if (!block.find()) {
                throw new TlsFault("has no BEGIN PRIVATE KEY: must be PKCS #8 without a password, which openssl pkcs8"
                        + " -topk8 -nocrypt makes");
            }
            return decoded(block);
        });
        if (encoded.isEmpty() || chain.isEmpty()) {
            return Optional.empty();
        }
        String algorithm = chain.get(0).getPublicKey().getAlgorithm();
        return reading(
                "key",
                file,
                faults,
                () -> {
                    PrivateKey key =
                            KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded.get()));
                    if (!fits(key, chain.get(0))) {
                        throw new TlsFault("is another key than that of the certificate");
                    }
                    return key;
                },
                "must be the key of the certificate, for " + algorithm);
    }

    /** Whether the certificate vouches for what the key signs; true if there is no way to try. */
    private static boolean fits(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = SIGNATURES.get(certificate.getPublicKey().getAlgorithm());
        if (algorithm == null) {
            return true;
        }
        byte[] text = certificate.getSerialNumber().toByteArray();
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        // Not by the certificate: it may be forbidden to sign anything but a handshake.
        signature.initVerify(certificate.getPublicKey());
        signature.update(text);
        return signature.verify(signed);
    }

    private static Keys stored(byte[] store, char[] password) throws IOException, GeneralSecurityException {
        KeyStore all = KeyStore.getInstance("PKCS12");
        all.load(new ByteArrayInputStream(store), password);
        List<X509Certificate> trusted = new ArrayList<>();
        List<List<X509Certificate>> own = new ArrayList<>();
        for (String alias : Collections.list(all.aliases())) {
            if (all.getCertificate(alias) instanceof X509Certificate certificate) {
                if (all.isKeyEntry(alias)) {
                    own.add(Arrays.stream(all.getCertificateChain(alias))
                            .map(X509Certificate.class::cast)
                            .toList());
                } else {
                    trusted.add(certificate);
                }
            }
        }
        if (own.size() != 1 || trusted.size() == 0) {
            throw new TlsFault("has " + own.size() + " keys and " + trusted.size()
                    + " trusted certificates: must have one key, and one trusted certificate or more");
        }
        return keys(all, password, own.get(0), trusted);
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, IN_MEMORY);
        } catch (IOException e) {
            throw new GeneralSecurityException("an empty store", e);
        }
        return store;
    }

    private static Keys keys(
            KeyStore own, char[] password, List<X509Certificate> chain, List<X509Certificate> authorities)
            throws GeneralSecurityException {
        KeyStore trusted = emptyStore();
        for (X509Certificate authority : authorities) {
            trusted.setCertificateEntry("authority " + trusted.size(), authority);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, password);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManager[] deciding = Arrays.stream(trust.getTrustManagers())
                .map(each -> each instanceof X509ExtendedTrustManager known ? new NamingTrust(known) : each)
                .toArray(TrustManager[]::new);
        context.init(keys.getKeyManagers(), deciding, null);
        // Longer than RFC 8446 lets a ticket live, so none is given: each connection shows its certificate anew.
        context.getServerSessionContext().setSessionTimeout(TICKET_SECONDS_MAX + 1);
        return new Keys(context, chain, authorities);
    }
}
