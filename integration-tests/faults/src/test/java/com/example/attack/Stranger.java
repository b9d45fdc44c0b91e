package com.example.attack;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/**
 * Somebody who can reach a node's port of the transport {@code tcp}, and has read how its connections look. Knows no
 * class of the library, and does not care whether the node takes what it writes.
 */
final class Stranger implements AutoCloseable {

    private static final int MILLIS = 2_000;

    private Socket socket = new Socket();

    Stranger(String address) {
        this(address, Optional.empty());
    }

    /** @param tls makes the connection a secure one; empty for plain bytes */
    Stranger(String address, Optional<SSLSocketFactory> tls) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        try {
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

    /** The first byte of what the node answers behind a length, which is a type; -1 if it only closes. */
    int answer() {
        try {
            byte[] head = socket.getInputStream().readNBytes(5);
            return head.length < 5 ? -1 : head[4];
        } catch (IOException e) {
            return -1;
        }
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
