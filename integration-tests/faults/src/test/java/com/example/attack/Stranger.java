package com.example.attack;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocketFactory;

/**
 * Somebody who can reach a node's port of the transport {@code tcp}, and has read how its connections look. Knows no
 * class of the library, and does not care whether the node takes what it writes.
 */
final class Stranger implements Lane {

    /** What a node answers to a greeting. */
    static final int ADMITTED = 0;

    /** It has closed the connection, or does not answer. */
    static final int SILENCE = -1;

    private static final int WELCOME = 2;
    private static final int DATA = 3;
    private static final int PING = 4;
    private static final int PONG = 5;
    private static final int CHALLENGE = 7;
    private static final int PROOF = 8;
    private static final int MILLIS = 2_000;
    /** A node takes so few connections a second from one address that an attack needs many: 127.0.0.2 and so on. */
    private static final int ADDRESSES = 200;

    private static final AtomicInteger COUNT = new AtomicInteger();

    private Socket socket = new Socket();
    private byte[] hello = {};
    private byte[] good = {};
    private int frames;

    /** From an address at which no node is. */
    Stranger(String address) {
        this(address, Optional.empty());
    }

    /**
     * From an address at which no node is.
     *
     * @param tls makes the connection a secure one; empty for plain bytes
     */
    Stranger(String address, Optional<SSLSocketFactory> tls) {
        this("127.0.0." + (2 + COUNT.getAndIncrement() % ADDRESSES), address, tls);
    }

    /** @param source the address from which it comes: 127.0.0.1 is that of the nodes */
    Stranger(String source, String address, Optional<SSLSocketFactory> tls) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        try {
            socket.bind(new InetSocketAddress(source, 0));
            socket.connect(new InetSocketAddress(host, port), MILLIS);
            socket.setSoTimeout(MILLIS);
            if (tls.isPresent()) {
                socket = tls.get().createSocket(socket, host, port, true);
            }
        } catch (IOException e) {
            // A node that sends us away at once has done what it should.
        }
    }

    /** Writes it, as far as the node lets us. Answers whether the connection still takes something. */
    boolean write(byte... bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the node closes the connection, and does not wait for more. */
    boolean isClosed() {
        try {
            int said = socket.getInputStream().read();
            while (said >= 0) {
                said = socket.getInputStream().read();
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Greets as who may know the secret. */
    void greet(String cluster, String from, String to, boolean hasSecret) {
        byte[] frame = hello(cluster, from, to, hasSecret);
        hello = Arrays.copyOfRange(frame, Integer.BYTES + 1, frame.length);
        write(frame);
    }

    /** What the node answers to a greeting: {@link #ADMITTED}, the code of a refusal, or {@link #SILENCE}. */
    int answer() {
        return answer(Optional.empty());
    }

    /**
     * The same after it was shown that the secret is known.
     *
     * @param secret makes what is shown; empty for who does not know it
     */
    int answer(Optional<Mac> secret) {
        Optional<byte[]> answer = read();
        if (secret.isPresent() && answer.isPresent() && answer.get()[0] == CHALLENGE) {
            byte[] nonce = Arrays.copyOfRange(answer.get(), 1, 1 + Long.BYTES);
            write(frame(PROOF, secret.get().shown(hello, nonce)));
            answer = read();
        }
        return answer.filter(frame -> frame[0] == WELCOME && frame.length > 1)
                .map(frame -> (int) frame[1])
                .orElse(SILENCE);
    }

    /** The next frame that the node says: its type and its body. */
    private Optional<byte[]> read() {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            return Optional.of(frame).filter(read -> read.length > 0);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void flush() {
        // Nothing is kept.
    }

    @Override
    public Optional<byte[]> carriedSoFar() {
        try {
            return socket.getInputStream().available() > 0 ? carried() : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<byte[]> carried() {
        Optional<byte[]> said = read();
        while (said.isPresent() && said.get()[0] != DATA) {
            said = read();
        }
        return said.map(frame -> Arrays.copyOfRange(frame, 1, frame.length));
    }

    /** A node ends a connection after sixteen bad frames in a row: from now on each eighth is followed by this one. */
    Stranger mixing(byte[] goodFrame) {
        good = goodFrame;
        return this;
    }

    @Override
    public boolean frame(String from, byte[] frame) {
        frames++;
        boolean isTaken = write(frame(DATA, frame));
        return isTaken && (good.length == 0 || frames % 8 > 0 || write(frame(DATA, good)));
    }

    @Override
    public boolean raw(byte... bytes) {
        return write(bytes);
    }

    @Override
    public boolean isRead() {
        write(frame(PING, new byte[0]));
        Optional<byte[]> said = read();
        while (said.isPresent() && said.get()[0] != PONG) {
            said = read();
        }
        return said.isPresent();
    }

    /** A frame with its length and type. */
    static byte[] frame(int type, byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(1 + body.length);
            out.writeByte(type);
            out.write(body);
        } catch (IOException e) {
            throw new AssertionError("in memory", e);
        }
        return bytes.toByteArray();
    }

    /** A frame in which somebody without a secret says who calls whom. */
    static byte[] hello(String cluster, String from, String to) {
        return hello(cluster, from, to, false);
    }

    private static byte[] hello(String cluster, String from, String to, boolean hasSecret) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("QUOR".getBytes(StandardCharsets.US_ASCII));
        body.write(2);
        body.write(2);
        for (String text : new String[] {cluster, from, to}) {
            text(body, text);
        }
        body.writeBytes(new byte[8]);
        text(body, "127.0.0.1");
        body.write(1);
        body.write(hasSecret ? 1 : 0);
        return frame(1, body.toByteArray());
    }

    private static void text(ByteArrayOutputStream to, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        to.write(utf8.length);
        to.writeBytes(utf8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Justification: it is gone.
        }
    }
}
