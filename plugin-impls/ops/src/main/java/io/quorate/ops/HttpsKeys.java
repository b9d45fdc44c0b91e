package io.quorate.ops;

import io.quorate.transport.Keyring;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * The keys of an HTTPS server, as the files have them now. The server takes one context for its life, so this
 * is one that asks a keyring anew for each connection. A connection also has the files looked at, if the last look is
 * {@link Keyring#LOOK_EVERY} ago: that needs no thread, and without connections nobody needs other keys.
 */
final class HttpsKeys extends SSLContextSpi {

    private final Keyring keyring;
    private final LongSupplier nanoTime;
    private final Consumer<String> news;
    private final AtomicLong lookedAt;

    private HttpsKeys(Keyring keyring, LongSupplier nanoTime, Consumer<String> news) {
        this.keyring = keyring;
        this.nanoTime = nanoTime;
        this.news = news;
        lookedAt = new AtomicLong(nanoTime.getAsLong());
    }

    /**
     * A context for servers. Thread-safe.
     *
     * @param nanoTime a clock as {@link System#nanoTime}
     * @param news     is told what an operator should read
     */
    static SSLContext context(Keyring keyring, LongSupplier nanoTime, Consumer<String> news) {
        SSLContext first = keyring.context();
        return new SSLContext(new HttpsKeys(keyring, nanoTime, news), first.getProvider(), first.getProtocol()) {};
    }

    private SSLContext current() {
        long now = nanoTime.getAsLong();
        long last = lookedAt.get();
        // If several connections come at one moment, one of them looks.
        if (now - last >= Keyring.LOOK_EVERY.toNanos() && lookedAt.compareAndSet(last, now)) {
            keyring.look().ifPresent(news);
        }
        return keyring.context();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return current().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return current().createSSLEngine(host, port);
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return keyring.context().getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
        return keyring.context().getSupportedSSLParameters();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return keyring.context().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return keyring.context().getClientSessionContext();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return keyring.context().getServerSocketFactory();
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return keyring.context().getSocketFactory();
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("the keys are those of the keyring");
    }
}
