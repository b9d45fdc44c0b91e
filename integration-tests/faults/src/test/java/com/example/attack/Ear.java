package com.example.attack;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Listens where nodes look for another one on the event bus: what they say to that one comes here, and they are told that
 * it lives.
 */
final class Ear implements AutoCloseable {

    private static final int PING_CODEC = 1;
    private static final int PONG = 1;
    private static final int KEPT_MAX = 100_000;
    private static final long MILLIS = 2_000;

    private final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>(KEPT_MAX);
    private final FakeServer server;

    Ear(String address) {
        server = new FakeServer("ear", address, this::listen);
    }

    private void listen(Socket socket) throws IOException {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            while (true) {
                byte[] message = new byte[in.readInt()];
                in.readFully(message);
                if (message[1] == PING_CODEC) {
                    socket.getOutputStream().write(PONG);
                } else {
                    frame(message).ifPresent(frames::offer);
                }
            }
        } catch (EOFException e) {
            // The node has closed it.
        }
    }

    /** What stands behind version, codec, kind, address, address for an answer, sender, headers, length and sender. */
    private static Optional<byte[]> frame(byte[] message) {
        int at = 3;
        for (int i = 0; i < 3; i++) {
            at += 4 + length(message, at);
        }
        at += length(message, at) + 4;
        return at >= message.length
                ? Optional.empty()
                : Optional.of(Arrays.copyOfRange(message, at + 1 + message[at], message.length));
    }

    private static int length(byte[] bytes, int at) {
        int length = 0;
        for (int i = 0; i < 4; i++) {
            length = length << 8 | bytes[at + i] & 0xff;
        }
        return length;
    }

    /** The next frame that some node has sent; empty if none comes in time. */
    Optional<byte[]> next() {
        try {
            return Optional.ofNullable(frames.poll(MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    Optional<byte[]> nextSoFar() {
        return Optional.ofNullable(frames.poll());
    }

    @Override
    public void close() {
        server.close();
    }
}
