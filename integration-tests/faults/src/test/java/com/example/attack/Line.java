package com.example.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands between two nodes, lets everything pass, and keeps what the one that dials has said; or is a black hole. A
 * connection that was there meanwhile never comes back to life: its packets are lost, and nobody says so.
 */
final class Line implements AutoCloseable {

    private static final int BYTES_MAX = 1 << 16;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> sockets = new ArrayList<>();
    private volatile boolean isHole;
    private ByteArrayOutputStream kept = new ByteArrayOutputStream();

    /** @param address of the node that is dialled */
    Line(String address) throws IOException {
        target = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        run("accepting", this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** What was said so far on the newest connection. */
    synchronized byte[] recorded() {
        return kept.toByteArray();
    }

    /** From now on nothing passes; or what is said on a new connection does. */
    void swallow(boolean wanted) {
        isHole = wanted;
    }

    private interface Work {
        void run() throws IOException;
    }

    private void run(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // Justification: a connection has ended, or this recorder.
                    }
                },
                "line " + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket near = server.accept();
            Socket far = new Socket();
            try {
                far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            } catch (IOException e) {
                // The node has not started yet; who dials will try again.
                near.close();
                continue;
            }
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            synchronized (this) {
                sockets.addAll(List.of(near, far));
                kept = said;
            }
            run("to the node", () -> copy(near, far, said));
            run("from the node", () -> copy(far, near, new ByteArrayOutputStream()));
        }
    }

    private void copy(Socket from, Socket to, ByteArrayOutputStream said) throws IOException {
        byte[] buffer = new byte[8192];
        boolean isLost = isHole;
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                synchronized (this) {
                    if (said.size() < BYTES_MAX) {
                        said.write(buffer, 0, length);
                    }
                }
                isLost |= isHole;
                if (!isLost) {
                    out.write(buffer, 0, length);
                }
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
