package io.quorate.jvm;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Decides as another one does, and says whose certificate it refuses and when that ends. */
public final class NamingTrust extends X509ExtendedTrustManager {

    private static final int NAME_MAX = 100;

    private final X509ExtendedTrustManager trust;

    public NamingTrust(X509ExtendedTrustManager trust) {
        this.trust = trust;
    }

    @FunctionalInterface
    private interface Check {
        void run() throws CertificateException;
    }

    private static void naming(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            // Without e as its cause: the innermost message is what a log shows.
            CertificateException named = new CertificateException(
                    "the certificate of " + described(chain[0]) + " is refused: " + innermost(e), null);
            named.addSuppressed(e);
            throw named;
        }
    }

    /**
     * The owner and the end of the certificate. A stranger chose the name, which must not push the reason out of the
     * line.
     */
    public static String described(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        String tense = Instant.now().isBefore(end) ? "ends" : "has ended";
        return Printable.of(Identity.described(certificate), NAME_MAX) + ", which " + tense + " at " + end + ",";
    }

    /** The message of the root cause, where the JDK names the fault of a certificate. */
    public static String innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        naming(chain, () -> trust.checkClientTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        naming(chain, () -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        naming(chain, () -> trust.checkClientTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        naming(chain, () -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        naming(chain, () -> trust.checkClientTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        naming(chain, () -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
