package com.example.attack;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Listens where nodes look for another one, reads nothing, and writes to each caller without end. */
final class Impostor implements AutoCloseable {

    private final ServerSocket server;
    private volatile byte[] piece = {};
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong pieces = new AtomicLong();

    /** Silent at first. */
    Impostor(String address) {
        try {
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            server = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(this::accept);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // Justification: a connection has ended, or this impostor.
                    }
                },
                "impostor");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket socket = server.accept();
            sockets.add(socket);
            calls.incrementAndGet();
            socket.setTcpNoDelay(true);
            byte[] said = piece;
            if (said.length > 0) {
                run(() -> write(socket, said));
            }
        }
    }

    private void write(Socket socket, byte[] said) throws IOException {
        try (socket;
                OutputStream out = socket.getOutputStream()) {
            while (said == piece) {
                out.write(said);
                pieces.incrementAndGet();
            }
        }
    }

    /** Writes this to each caller from now on, again and again, and each time by itself; nothing if it is empty. */
    void says(byte... wanted) {
        piece = wanted.clone();
        calls.set(0);
        pieces.set(0);
    }

    /** Counts the connections that nodes have made since {@link #says}. */
    int calls() {
        return calls.get();
    }

    long pieces() {
        return pieces.get();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
