package com.example.attack;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Somebody who can reach a node's port and has read how frames look. It knows no class of the library: a forged frame
 * is written byte by byte, in the form of the Vert.x event bus and then in that of the library.
 */
final class Forger implements Lane {

    private static final int BUS_VERSION = 2;
    private static final int PING_CODEC = 1;
    private static final int BUFFER_CODEC = 11;
    private static final int PONG = 1;
    /** Stands in front of a frame on the way back. */
    private static final int REFUSAL = 2;
    /** Long: other processes may hold up a node. */
    private static final int MILLIS = 30_000;

    private static final int WIRE_VERSION = 3;
    /** Sixteen in a row that nobody sends who may speak would end the connection. */
    private static final int MIXED = 8;

    private final String victim;
    private final Optional<Ear> ear;
    private final Socket socket = new Socket();
    private final DataOutputStream out;
    private Optional<Supplier<byte[]>> good = Optional.empty();
    private int frames;

    /** What stands in the envelope of a frame. */
    record Head(String from, String to, long life, long lifeOfReceiver, long sequence, long acknowledged, int flags) {}

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

    /** One that hears nothing. */
    Forger(String victim, String address) {
        this(victim, address, Optional.empty());
    }

    /** @param ear hears what the victim sends to the name in which this one speaks */
    Forger(String victim, String address, Optional<Ear> ear) {
        this.victim = victim;
        this.ear = ear;
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        try {
            socket.connect(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), MILLIS);
            socket.setSoTimeout(MILLIS);
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        } catch (IOException e) {
            throw new AssertionError("nothing listens at " + address, e);
        }
    }

    /** A frame of the library, as both transports carry it; one that begins with {@code S} ends in a MAC. */
    static byte[] frame(
            char first, String cluster, String from, String to, long incarnation, long sequence, Bytes... messages) {
        return frame(first, cluster, new Head(from, to, incarnation, 0, sequence, 0, 0), messages);
    }

    /** A frame of the cluster that is attacked. */
    static byte[] frame(char first, Head head, Bytes... messages) {
        return frame(first, AttackedCluster.CLUSTER, head, messages);
    }

    private static byte[] frame(char first, String cluster, Head head, Bytes... messages) {
        Bytes frame = Bytes.of(first)
                .octet(WIRE_VERSION)
                .text(cluster)
                .text(head.from)
                .text(head.to)
                .eight(head.life)
                .eight(head.lifeOfReceiver)
                .numbers(head.sequence, head.acknowledged)
                .octet(WIRE_VERSION | head.flags);
        for (Bytes message : messages) {
            frame.bytes.writeBytes(message.toArray());
        }
        return frame.toArray();
    }

    /** Sends these among its frames, so that the node leaves the connection open. */
    Forger mixing(Supplier<byte[]> news) {
        good = Optional.of(news);
        return this;
    }

    @Override
    public boolean frame(String from, byte[] frame) {
        if (good.isPresent() && frames++ % MIXED == 0) {
            send(from, good.get().get());
        }
        return send(from, frame);
    }

    private boolean send(String from, byte[] frame) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] utf8 = from.getBytes(StandardCharsets.UTF_8);
        body.write(utf8.length);
        body.writeBytes(utf8);
        body.writeBytes(frame);
        return message("quorate." + victim, from, BUFFER_CODEC, body.toByteArray());
    }

    @Override
    public boolean isRead() {
        try {
            message("__vertx_ping", "", PING_CODEC, new byte[0]);
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int next = in.read();
            while (next == REFUSAL) {
                in.readFully(new byte[in.readInt()]);
                next = in.read();
            }
            return next == PONG;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            // Justification: whoever waits for an answer notices.
        }
    }

    @Override
    public Optional<byte[]> carried() {
        return ear.flatMap(Ear::next);
    }

    @Override
    public Optional<byte[]> carriedSoFar() {
        return ear.flatMap(Ear::nextSoFar);
    }

    @Override
    public boolean raw(byte... bytes) {
        try {
            out.write(bytes);
            out.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean message(String address, String sender, int codec, byte[] body) {
        ByteArrayOutputStream bus = new ByteArrayOutputStream();
        try (DataOutputStream message = new DataOutputStream(bus)) {
            message.writeByte(BUS_VERSION);
            message.writeByte(codec);
            // Point to point, with no address for an answer and no headers.
            message.writeByte(0);
            string(message, address);
            message.writeInt(0);
            string(message, sender);
            message.writeInt(4);
            if (codec == BUFFER_CODEC) {
                message.writeInt(body.length);
                message.write(body);
            }
        } catch (IOException e) {
            throw new AssertionError("in memory", e);
        }
        try {
            out.writeInt(bus.size());
            out.write(bus.toByteArray());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void string(DataOutputStream to, String value) throws IOException {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        to.writeInt(utf8.length);
        to.write(utf8);
    }

    @Override
    public void close() {
        try (socket) {
            out.flush();
        } catch (IOException e) {
            // Justification: it is gone.
        }
    }
}
