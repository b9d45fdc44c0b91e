package com.example.attack;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Somebody who can reach a node's port and has read how frames look. It knows no class of the library: a forged frame
 * is written byte by byte, in the form of the Vert.x event bus and then in that of the library.
 */
final class Forger implements AutoCloseable {

    private static final int BUS_VERSION = 2;
    private static final int BUFFER_CODEC = 11;
    private static final int WIRE_VERSION = 2;

    private final String clusterId;
    private final String victim;
    private final Socket socket = new Socket();
    private final DataOutputStream out;
    private long sequence;

    /** A message of the library, or a part of one. */
    static final class Bytes {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        static Bytes of(int kind) {
            return new Bytes().octet(kind);
        }

        Bytes octet(int value) {
            bytes.write(value);
            return this;
        }

        /** Numbers in this order, seven bits in each byte. */
        Bytes numbers(long... values) {
            for (long value : values) {
                long rest = value;
                while (rest >>> 7 != 0) {
                    bytes.write((int) (rest & 0x7f | 0x80));
                    rest >>>= 7;
                }
                bytes.write((int) rest);
            }
            return this;
        }

        Bytes text(String value) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            numbers(utf8.length);
            bytes.write(utf8, 0, utf8.length);
            return this;
        }

        Bytes eight(long value) {
            for (int shift = 56; shift >= 0; shift -= 8) {
                bytes.write((int) (value >>> shift));
            }
            return this;
        }

        byte[] toArray() {
            return bytes.toByteArray();
        }
    }

    Forger(String clusterId, String victim, String address) throws IOException {
        this.clusterId = clusterId;
        this.victim = victim;
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        socket.connect(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), 5_000);
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Sends messages to the node, in the name of this one, in this life. */
    void send(String from, long incarnation, Bytes... messages) throws IOException {
        raw(from, frame('Q', clusterId, from, victim, incarnation, ++sequence, messages));
    }

    /** A frame of the library, as both transports carry it; one that begins with {@code S} ends in a MAC. */
    static byte[] frame(
            char first, String cluster, String from, String to, long incarnation, long sequence, Bytes... messages) {
        Bytes frame = Bytes.of(first)
                .octet(WIRE_VERSION)
                .text(cluster)
                .text(from)
                .text(to)
                .eight(incarnation)
                .eight(0)
                .numbers(sequence, 0);
        for (Bytes message : messages) {
            frame.bytes.writeBytes(message.toArray());
        }
        return frame.toArray();
    }

    /** Sends any bytes as a frame. */
    void raw(String from, byte[] frame) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(from.length());
        body.writeBytes(from.getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(frame);
        ByteArrayOutputStream bus = new ByteArrayOutputStream();
        DataOutputStream message = new DataOutputStream(bus);
        message.writeByte(BUS_VERSION);
        message.writeByte(BUFFER_CODEC);
        // Point to point, to the node's address, with no address for an answer and no headers.
        message.writeByte(0);
        string(message, "quorate." + victim);
        message.writeInt(0);
        string(message, from);
        message.writeInt(4);
        message.writeInt(body.size());
        message.write(body.toByteArray());
        out.writeInt(bus.size());
        out.write(bus.toByteArray());
        out.flush();
    }

    private static void string(DataOutputStream to, String value) throws IOException {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        to.writeInt(utf8.length);
        to.write(utf8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
