package io.quorate.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 on one connection, with a certificate of both sides. The loop uses it; what takes long in a handshake runs on
 * another thread, and the loop leaves the connection alone meanwhile.
 */
final class Secured {

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final SSLEngine engine;
    private final ByteBuffer nothing = ByteBuffer.allocate(0);
    /** From the socket; ready to be filled. */
    private final ByteBuffer netIn;
    /** To the socket; ready to be written. */
    private final ByteBuffer netOut;

    private boolean hasHeard;
    private boolean isReady;
    private boolean isBusy;
    /** Whether the connection is closed, and work for it is in vain. */
    private volatile boolean isOver;
    /** What the work of the handshake threw, on its thread. */
    private volatile @Nullable Throwable failure;

    Secured(SSLContext context, boolean isDialled) throws IOException {
        engine = context.createSSLEngine();
        engine.setUseClientMode(isDialled);
        engine.setEnabledProtocols(PROTOCOLS);
        if (!isDialled) {
            engine.setNeedClientAuth(true);
        }
        netIn = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        netOut = ByteBuffer.allocate(netIn.capacity()).limit(0);
        engine.beginHandshake();
    }

    /** Whether both sides have shown their certificates, and frames may pass. */
    boolean isReady() {
        return isReady;
    }

    /** Whether the other side has said anything. */
    boolean hasHeard() {
        return hasHeard;
    }

    /** Whether another thread works on the handshake. */
    boolean isBusy() {
        return isBusy;
    }

    /**
     * The other thread has done its work.
     *
     * @throws SSLException if that has failed
     */
    void onDone() throws SSLException {
        isBusy = false;
        if (failure != null) {
            throw new SSLException("the handshake failed: " + failure);
        }
    }

    /** The connection is closed: what waits for the other thread need not be done. */
    void end() {
        isOver = true;
    }

    boolean hasUnwritten() {
        return netOut.hasRemaining();
    }

    /** The certificate of the other side; null if it has shown none. */
    @Nullable
    X509Certificate peerCertificate() throws IOException {
        return engine.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate ? certificate : null;
    }

    /**
     * Reads what there is, and goes on with the handshake if that is not over.
     *
     * @param into has room for the longest packet of TLS
     * @param others where the work of a handshake runs; then {@code done} is called there
     * @return as {@link SocketChannel#read}: -1 if the other side has closed
     */
    int read(SocketChannel channel, ByteBuffer into, Executor others, Runnable done) throws IOException {
        int length = channel.read(netIn);
        hasHeard |= length > 0;
        advance(channel, into, others, done);
        return length;
    }

    /** Goes on with what was read. */
    void advance(SocketChannel channel, ByteBuffer into, Executor others, Runnable done) throws IOException {
        try {
            while (!isBusy && step(channel, into, others, done)) {
                // Each step brings the next one about, until the socket has no more.
            }
        } catch (SSLException e) {
            sayWhy(channel);
            throw e;
        }
    }

    private boolean step(SocketChannel channel, ByteBuffer into, Executor others, Runnable done) throws IOException {
        HandshakeStatus status = engine.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_TASK) {
            Runnable task = engine.getDelegatedTask();
            if (task == null) {
                throw new SSLException("the handshake does not go on");
            }
            isBusy = true;
            others.execute(() -> {
                if (isOver) {
                    // Callers that come and go must not have others wait for work that nobody needs.
                    return;
                }
                try {
                    task.run();
                } catch (Throwable e) {
                    // Justification: the engine keeps what its own parts throw; this is somebody else's, and the loop
                    // ends the connection.
                    failure = e;
                } finally {
                    done.run();
                }
            });
            return false;
        }
        if (status == HandshakeStatus.NEED_WRAP) {
            write(channel, nothing);
            if (netOut.hasRemaining()) {
                return false;
            }
            wrap(nothing);
            write(channel, nothing);
            return true;
        }
        if (status == HandshakeStatus.NOT_HANDSHAKING) {
            isReady = true;
        }
        netIn.flip();
        SSLEngineResult result = engine.unwrap(netIn, into);
        netIn.compact();
        if (result.getStatus() == Status.BUFFER_UNDERFLOW && !netIn.hasRemaining()) {
            // Nothing more can be read, and the selector would say for ever that there is something.
            throw new SSLException("a packet longer than " + netIn.capacity() + " bytes");
        }
        if (result.getStatus() == Status.CLOSED) {
            throw new SSLException("closed by the other side");
        }
        return result.getStatus() == Status.OK && (result.bytesConsumed() > 0 || engine.getHandshakeStatus() != status);
    }

    /** Tells the other side why its certificate, or its form, is not taken; if it still listens. */
    private void sayWhy(SocketChannel channel) {
        try {
            for (int i = 0; i < 3 && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
                wrap(nothing);
                write(channel, nothing);
            }
        } catch (IOException e) {
            // Justification: the connection ends for the first reason.
        }
    }

    /** Writes what the socket takes; the rest stays in {@code from}, or is {@linkplain #hasUnwritten unwritten}. */
    void write(SocketChannel channel, ByteBuffer from) throws IOException {
        while (true) {
            if (netOut.hasRemaining()) {
                channel.write(netOut);
            }
            if (netOut.hasRemaining() || !from.hasRemaining()) {
                return;
            }
            wrap(from);
        }
    }

    private void wrap(ByteBuffer from) throws IOException {
        netOut.clear();
        SSLEngineResult result = engine.wrap(from, netOut);
        netOut.flip();
        // A wrap without output would repeat without end.
        if (!netOut.hasRemaining() && (result.getStatus() != Status.OK || from.hasRemaining())) {
            throw new SSLException("TLS has ended");
        }
    }
}
