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
    private static final int MILLIS = 2_000;
    /** A node takes so few connections a second from one address that an attack needs many: 127.0.0.2 and so on. */
    private static final int ADDRESSES = 200;

    private static final AtomicInteger COUNT = new AtomicInteger();

    private Socket socket = new Socket();

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

    /** What the node answers to a greeting: {@link #ADMITTED}, the code of a refusal, or {@link #SILENCE}. */
    int answer() {
        Optional<byte[]> answer = read();
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

    @Override
    public boolean frame(String from, byte[] frame) {
        return write(frame(DATA, frame));
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

    /** A frame that says who calls whom. */
    static byte[] hello(String cluster, String from, String to) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("QUOR".getBytes(StandardCharsets.US_ASCII));
        body.write(1);
        body.write(1);
        for (String text : new String[] {cluster, from, to}) {
            text(body, text);
        }
        body.writeBytes(new byte[8]);
        text(body, "127.0.0.1");
        body.write(1);
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
