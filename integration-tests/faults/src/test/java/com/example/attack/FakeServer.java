package com.example.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Listens where nodes look for another one, and handles each caller on a thread. */
final class FakeServer implements AutoCloseable {

    private final String name;
    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** Handles a caller. */
    interface Handler {
        void handle(Socket caller) throws IOException;
    }

    private interface Work {
        void run() throws IOException;
    }

    /**
     * Listens until it is closed.
     *
     * @param name of its threads
     */
    FakeServer(String name, String address, Handler handler) {
        this.name = name;
        try {
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            server = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(() -> accept(handler));
    }

    private void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // Justification: a connection has ended, or this server.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(Handler handler) throws IOException {
        while (!server.isClosed()) {
            Socket caller = server.accept();
            sockets.add(caller);
            run(() -> handler.handle(caller));
        }
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
