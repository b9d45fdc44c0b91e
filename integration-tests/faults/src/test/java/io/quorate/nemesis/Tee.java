package io.quorate.nemesis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One address at which two processes listen: both get all that is sent there. What the first one answers goes back, what
 * the second one answers is read and left.
 */
final class Tee implements AutoCloseable {

    private final ServerSocket server;
    private final List<Integer> targets = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    Tee() {
        try {
            server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("accepts", this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** From now on the process at this port of 127.0.0.1 gets all, too; connections begin anew for that. */
    void add(int port) {
        targets.add(port);
        open.forEach(Tee::close);
    }

    private static void run(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // Justification: that is how a connection ends here.
                    }
                },
                "tee " + name);
        thread.setDaemon(true);
        thread.start();
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException;
    }

    private void accept() throws IOException {
        while (true) {
            Socket from = server.accept();
            open.add(from);
            run("passes on", () -> passOn(from));
        }
    }

    private void passOn(Socket from) throws IOException {
        List<Socket> to = new CopyOnWriteArrayList<>();
        try (from) {
            for (int port : targets) {
                Socket next = new Socket(InetAddress.getLoopbackAddress(), port);
                boolean isFirst = to.isEmpty();
                to.add(next);
                run("answers", () -> {
                    OutputStream back = isFirst ? from.getOutputStream() : OutputStream.nullOutputStream();
                    try (from) {
                        next.getInputStream().transferTo(back);
                    }
                });
            }
            byte[] buffer = new byte[8192];
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
                for (Socket next : to) {
                    next.getOutputStream().write(buffer, 0, length);
                }
            }
        } finally {
            to.forEach(Tee::close);
            open.remove(from);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(Tee::close);
    }
}
