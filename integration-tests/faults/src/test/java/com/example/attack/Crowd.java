package com.example.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Many connections of somebody who can reach a node's port, and knows nothing but bytes. It does not care whether the
 * node takes them.
 */
final class Crowd implements AutoCloseable {

    private static final int MILLIS = 2_000;
    /** Besides 127.0.0.1, which is that of the nodes. */
    private static final int ADDRESSES = 200;

    /** In place of one address: each connection comes from another one. */
    static final String MANY = "many addresses";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final InetSocketAddress victim;
    private final List<Socket> sockets = new ArrayList<>();

    /** @param address of the node that is attacked */
    Crowd(String address) {
        int colon = address.lastIndexOf(':');
        victim = new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    /** The next address at which no node is. */
    private static String elsewhere() {
        return "127.0.0." + (2 + COUNT.getAndIncrement() % ADDRESSES);
    }

    /** What a client of TLS 1.3 says first, which anybody may say again. */
    static byte[] clientHello() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread dialling = new Thread(() -> {
                try (SSLSocket socket = (SSLSocket) SSLContext.getDefault()
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                    socket.setEnabledProtocols(new String[] {"TLSv1.3"});
                    socket.startHandshake();
                } catch (IOException | GeneralSecurityException e) {
                    // Justification: nobody answers it.
                }
            });
            dialling.start();
            try (Socket accepted = server.accept()) {
                byte[] head = accepted.getInputStream().readNBytes(5);
                int length = (head[3] & 0xff) << 8 | head[4] & 0xff;
                ByteArrayOutputStream hello = new ByteArrayOutputStream();
                hello.writeBytes(head);
                hello.writeBytes(accepted.getInputStream().readNBytes(length));
                return hello.toByteArray();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Socket open(String from) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(from.equals(MANY) ? elsewhere() : from, 0));
            socket.connect(victim, MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Opens one connection after the other, says this, and closes it, for so long.
     *
     * @param from one address, or {@link #MANY}
     * @return how many were taken by the system
     */
    int flood(String from, byte[] said, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        int count = 0;
        while (System.nanoTime() - end < 0) {
            try (Socket socket = open(from)) {
                count++;
                socket.getOutputStream().write(said);
            } catch (IOException e) {
                // The node has sent us away.
            }
        }
        return count;
    }

    /** Opens so many that stay, and says this on each, as far as the node takes it. */
    Crowd stay(int count, String from, byte... said) {
        for (int i = 0; i < count; i++) {
            try {
                sockets.add(open(from));
            } catch (IOException e) {
                // The node has sent us away.
            }
        }
        say(said);
        return this;
    }

    /** Answers on how many the system took it. */
    int say(byte... said) {
        int taken = 0;
        for (Socket socket : sockets) {
            try {
                socket.getOutputStream().write(said);
                taken++;
            } catch (IOException e) {
                // The node has sent us away.
            }
        }
        return taken;
    }

    /** How many of those that stay the node has not closed. What it has said is read. */
    int left() {
        int left = 0;
        for (Socket socket : sockets) {
            try {
                socket.setSoTimeout(1);
                while (socket.getInputStream().read() >= 0) {
                    // Whatever it says.
                }
            } catch (SocketTimeoutException e) {
                left++;
            } catch (IOException e) {
                // The node has sent us away.
            }
        }
        return left;
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // Justification: it is gone.
            }
        }
    }
}
