package com.example.attack;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Listens where nodes look for another one, reads nothing, and writes to each caller without end. */
final class Impostor implements AutoCloseable {

    private volatile byte[] piece = {};
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong pieces = new AtomicLong();
    private final FakeServer server;

    /** Silent at first. */
    Impostor(String address) {
        server = new FakeServer("impostor", address, this::answer);
    }

    private void answer(Socket socket) throws IOException {
        calls.incrementAndGet();
        socket.setTcpNoDelay(true);
        byte[] said = piece;
        if (said.length > 0) {
            write(socket, said);
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
        server.close();
    }
}
