package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;

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
                hasSecret);
    }

    Welcome greet(Hello hello) throws Exception {
        send(Wire.HELLO, hello.toBytes());
        return Welcome.read(read(Wire.WELCOME));
    }

    /** The body of the next frame, which must be of this type. */
    byte[] read(int type) throws IOException {
        int length = in.readInt();
        int actual = in.readByte();
        if (actual != type) {
            throw new AssertionError("frame of type " + actual + ", not " + type);
        }
        byte[] body = new byte[length - 1];
        in.readFully(body);
        return body;
    }

    /** Waits until the other side has closed, and answers how many bytes came before. */
    long awaitClosed() throws IOException {
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
