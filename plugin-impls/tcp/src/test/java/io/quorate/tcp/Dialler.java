package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import io.quorate.testkit.Deadline;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** One connection to a transport, whose frames a test writes and reads by itself. */
final class Dialler implements AutoCloseable {

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    Dialler(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(600_000);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    Dialler(int port) throws IOException {
        this(new Socket(Nodes.loopback(), port));
    }

    /** A conversation that a test holds on a connection. */
    interface Conversation {
        void hold(Dialler with) throws Exception;
    }

    /**
     * Holds a conversation with the node at this port. The node cuts off a client that is slow, as a test on a busy
     * machine is; the conversation starts again then, on another connection.
     */
    static void talk(int port, Conversation conversation) {
        AtomicBoolean isOver = new AtomicBoolean();
        Deadline.repeat(() -> isOver.set(wasHeld(port, conversation)), isOver::get, () -> "cut off each time");
    }

    private static boolean wasHeld(int port, Conversation conversation) {
        try (Dialler dialler = new Dialler(port)) {
            conversation.hold(dialler);
            return true;
        } catch (EOFException | SocketException e) {
            return false;
        } catch (Exception e) {
            // Justification: reading a frame and a conversation declare it.
            throw new AssertionError(e);
        }
    }

    void send(int type, byte[] body) throws IOException {
        out.writeInt(1 + body.length);
        out.writeByte(type);
        out.write(body);
        out.flush();
    }

    static Hello hello(String cluster, String from, String to) {
        return hello(cluster, from, to, false);
    }

    static Hello hello(String cluster, String from, String to, boolean hasSecret) {
        return new Hello(
                Wire.VERSION_MIN,
                Wire.VERSION_MAX,
                cluster,
                new NodeId(from),
                new NodeId(to),
                42,
                Optional.of(new HostAndPort("127.0.0.1", 1)),
                hasSecret,
                0);
    }

    /** The same of one process of the node. */
    static Hello hello(String cluster, String from, String to, long life) {
        Hello plain = hello(cluster, from, to);
        return new Hello(
                plain.versionMin(),
                plain.versionMax(),
                cluster,
                plain.from(),
                plain.to(),
                plain.nonce(),
                plain.advertised(),
                plain.hasSecret(),
                life);
    }

    Welcome greet(Hello hello) throws Exception {
        send(Wire.HELLO, hello.toBytes());
        return Welcome.read(read(Wire.WELCOME));
    }

    /** The body of the next frame, which must be of this type; a PING before it is a sign that this test is slow. */
    byte[] read(int type) throws IOException {
        int length = in.readInt();
        int actual = in.readByte();
        if (actual == Wire.PING && type != Wire.PING) {
            in.skipNBytes(length - 1);
            return read(type);
        }
        if (actual != type) {
            throw new AssertionError("frame of type " + actual + ", not " + type);
        }
        byte[] body = new byte[length - 1];
        in.readFully(body);
        return body;
    }

    /** Waits until the other side has closed. Returns how many frames it sent before, other than PING. */
    long awaitClosed() throws IOException {
        long frames = 0;
        try {
            while (true) {
                int length = in.readInt();
                frames += in.readByte() == Wire.PING ? 0 : 1;
                in.skipNBytes(Math.max(0, length - 1));
            }
        } catch (EOFException | SocketException e) {
            // Reset, if not all was read: closed as well.
            return frames;
        }
    }

    /** Waits until the other side has closed. Returns how many bytes it sent before, PING included. */
    long awaitEnd() throws IOException {
        try {
            return in.skip(Long.MAX_VALUE) + (in.read() < 0 ? 0 : 1);
        } catch (EOFException | SocketException e) {
            // Reset, because not all was read: closed as well.
            return 0;
        }
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
