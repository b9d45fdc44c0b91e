package io.quorate.testkit;

import java.io.IOException;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Connects to a node with TLS, believes whatever it shows, and says nothing. */
public final class TlsProbe {

    private static final char[] PASSWORD = "in memory".toCharArray();

    private final String host;
    private final int port;

    /** @param address in the form host:port */
    public TlsProbe(String address) {
        int colon = address.lastIndexOf(':');
        host = address.substring(0, colon);
        port = Integer.parseInt(address.substring(colon + 1));
    }

    private static final class Credulous implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // Whoever it is.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // Whoever it is.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private SSLSocket connected(Optional<Certificates.Identity> caller) throws IOException, GeneralSecurityException {
        KeyManager[] keys = {};
        if (caller.isPresent()) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", caller.get().key(), PASSWORD, new Certificate[] {
                caller.get().certificate()
            });
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, PASSWORD);
            keys = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, new TrustManager[] {new Credulous()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, port);
        socket.setSoTimeout(600_000);
        socket.startHandshake();
        return socket;
    }

    /** Has the node show its certificate. Answers false if it lets nobody in for now. */
    public boolean begins() {
        try (SSLSocket socket = connected(Optional.empty())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the node shows this now. */
    public boolean shows(X509Certificate certificate) {
        try (SSLSocket socket = connected(Optional.empty())) {
            return socket.getSession().getPeerCertificates()[0].equals(certificate);
        } catch (IOException e) {
            // A busy machine may take longer for a handshake than the node waits.
            return false;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the node lets somebody in who shows this. On TLS 1.3 it says no only after the handshake. */
    public boolean takes(Certificates.Identity caller) {
        return takes(Optional.of(caller));
    }

    /** Whether the node lets somebody in who shows nothing. */
    public boolean takesAnybody() {
        return takes(Optional.empty());
    }

    private boolean takes(Optional<Certificates.Identity> caller) {
        try (SSLSocket socket = connected(caller)) {
            // Whoever is let in and says nothing is closed after a time, and whoever is not let in is told so before.
            return socket.getInputStream().read() < 0;
        } catch (SSLException | SocketException e) {
            return false;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
