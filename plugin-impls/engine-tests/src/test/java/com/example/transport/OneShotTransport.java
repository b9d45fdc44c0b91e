package com.example.transport;

import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The smallest transport that keeps the contract: a connection for each frame, one thread that sends and one that
 * receives. One peer that does not answer delays the others.
 */
class OneShotTransport implements Transport {

    private static final int MILLIS = 500;

    private final Map<NodeId, HostAndPort> addresses;
    private final HostAndPort own;
    /** Full: what is sent is lost. */
    private final BlockingQueue<Outgoing> queue = new ArrayBlockingQueue<>(32);

    private Optional<ServerSocket> server = Optional.empty();
    private Thread sending;
    private Thread receiving;
    private boolean isStarted;
    private volatile boolean isOpen;

    private record Outgoing(HostAndPort to, byte[] frame) {}

    OneShotTransport(Settings settings) {
        addresses = settings.addresses();
        own = addresses.get(settings.self());
    }

    @Override
    public synchronized void start(Receiver receiver) {
        Check.state(!isStarted, "%s: was started before", own);
        isStarted = true;
        try {
            ServerSocket socket = new ServerSocket();
            server = Optional.of(socket);
            socket.bind(new InetSocketAddress(own.host(), own.port()));
            isOpen = true;
            receiving = thread(() -> receive(socket, receiver));
            sending = thread(this::send);
        } catch (IOException e) {
            close();
            throw new TransportException("cannot listen at " + own + ": " + e.getMessage(), e);
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "one-shot");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void send(NodeId to, byte[] frame) {
        Transport.checkLength(frame);
        Check.state(server.isPresent(), "%s: is not started", own);
        HostAndPort address = addresses.get(to);
        if (address != null && isOpen) {
            queue.offer(new Outgoing(address, frame));
        }
    }

    private void send() {
        while (isOpen) {
            try {
                Outgoing next = queue.take();
                try (Socket socket = new Socket()) {
                    socket.connect(new InetSocketAddress(next.to.host(), next.to.port()), MILLIS);
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.writeInt(next.frame.length);
                    out.write(next.frame);
                } catch (IOException e) {
                    // The frame is lost.
                }
            } catch (InterruptedException e) {
                // Closed.
                return;
            }
        }
    }

    private void receive(ServerSocket from, Receiver receiver) {
        while (isOpen) {
            try (Socket socket = from.accept()) {
                socket.setSoTimeout(MILLIS);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                int length = in.readInt();
                if (0 <= length && length <= FRAME_LENGTH_MAX) {
                    byte[] frame = in.readNBytes(length);
                    if (frame.length == length && isOpen) {
                        receiver.received(Optional.empty(), frame);
                    }
                }
            } catch (IOException | RuntimeException | Error e) {
                // Nothing has come of it; or the receiver has thrown, which must not end this thread.
            }
        }
    }

    @Override
    public synchronized void close() {
        isStarted = true;
        isOpen = false;
        server.ifPresent(socket -> {
            try {
                socket.close();
            } catch (IOException e) {
                // It is closed, as far as it can be.
            }
        });
        end(sending);
        end(receiving);
    }

    private static void end(Thread thread) {
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            // Justification: the example shows that a close has a bound; no test claims that the thread has ended by
            // then.
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
