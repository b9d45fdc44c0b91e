package io.quorate.ops;

import io.quorate.jvm.Daemons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Strangers who keep connections to a server open and send request after request on each of them, without a look at the
 * answers. One thread serves them all, so that they leave a processor to the server.
 */
final class Strangers implements AutoCloseable {

    /** The requests that a stranger who does not wait for answers sends with one call of the system. */
    private static final int REQUESTS_AT_A_TIME = 200;

    private final List<SocketChannel> channels = new ArrayList<>();
    private final AtomicLong bytesRead = new AtomicLong();
    private final Thread thread;
    private volatile boolean isOver;

    private Strangers(OpsServer server, int connections, Runnable pause, int atATime, String... targets)
            throws IOException {
        List<ByteBuffer> requests = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            channels.add(open(server));
            String request = "GET " + targets[i % targets.length] + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            requests.add(ByteBuffer.wrap(request.repeat(atATime).getBytes(StandardCharsets.US_ASCII)));
        }
        thread = Daemons.thread("strangers", () -> {
            ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 16);
            while (!isOver) {
                for (int i = 0; i < connections && !isOver; i++) {
                    try {
                        write(channels.get(i), requests.get(i));
                    } catch (IOException e) {
                        reopen(server, i);
                    }
                    // Flooding costs time, so those who flood read what has come for them alone.
                    for (int j = atATime == 1 ? 0 : i; j < (atATime == 1 ? connections : i + 1); j++) {
                        try {
                            read(channels.get(j), scratch);
                        } catch (IOException e) {
                            reopen(server, j);
                        }
                    }
                    pause.run();
                }
            }
        });
        thread.start();
    }

    /** Each sends the next requests as soon as the system takes them. */
    static Strangers flooding(OpsServer server, int connections, String... targets) throws IOException {
        return new Strangers(server, connections, () -> {}, REQUESTS_AT_A_TIME, targets);
    }

    /** Together they send {@code perSecond} requests a second. */
    static Strangers asking(OpsServer server, int connections, int perSecond, String... targets) throws IOException {
        // Justification: this is the rate of the strangers. Tests of the default build flood.
        return new Strangers(server, connections, () -> LockSupport.parkNanos(1_000_000_000 / perSecond), 1, targets);
    }

    private static SocketChannel open(OpsServer server) throws IOException {
        SocketChannel channel = SocketChannel.open(server.address());
        channel.configureBlocking(false);
        return channel;
    }

    /** The server may close a connection at any time; the stranger comes back. */
    private void reopen(OpsServer server, int place) {
        try {
            channels.get(place).close();
            channels.set(place, open(server));
        } catch (IOException e) {
            // The server closes, or has no room. The next turn tries again.
        }
    }

    private static void write(SocketChannel channel, ByteBuffer requests) throws IOException {
        channel.write(requests);
        if (!requests.hasRemaining()) {
            requests.rewind();
        }
    }

    private void read(SocketChannel channel, ByteBuffer scratch) throws IOException {
        scratch.clear();
        int read = channel.read(scratch);
        if (read < 0) {
            throw new IOException("closed");
        }
        bytesRead.addAndGet(read);
    }

    /** {@return how many bytes of answers have come by now} */
    long bytesRead() {
        return bytesRead.get();
    }

    @Override
    public void close() throws IOException {
        isOver = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
