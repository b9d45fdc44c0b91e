package io.quorate.contract;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries the connections of one client to a server of this machine. While it is cut, connections are broken, and new
 * ones are held until it heals, so that the client finds its way back at once.
 */
final class TcpProxy implements Closeable {

    private final ServerSocket listening;
    private final int target;
    private final List<Socket> open = new ArrayList<>();
    private boolean isCut;
    private boolean isClosed;

    TcpProxy(int target) {
        this.target = target;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tcp proxy");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                start(() -> connect(client));
            }
        } catch (IOException e) {
            // Closed: there is nothing left to accept.
            close();
        }
    }

    private void connect(Socket client) {
        try (client; Socket server = openTo(client)) {
            start(() -> pump(server, client));
            pump(client, server);
        } catch (IOException e) {
            // Justification: a connection that cannot be made is broken for the client, which sees it.
            forget(client);
        }
    }

    private Socket openTo(Socket client) throws IOException {
        awaitHealed(client);
        return new Socket(InetAddress.getLoopbackAddress(), target);
    }

    private synchronized void awaitHealed(Socket client) throws IOException {
        open.add(client);
        while (isCut && !isClosed) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // Justification: whichever end breaks first, the other is closed below.
        } finally {
            forget(from);
            forget(to);
        }
    }

    private void forget(Socket socket) {
        synchronized (this) {
            open.remove(socket);
        }
        closeQuietly(socket);
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized void cut() {
        isCut = true;
        breakAll();
    }

    private void breakAll() {
        open.forEach(TcpProxy::closeQuietly);
        open.clear();
    }

    synchronized void heal() {
        isCut = false;
        notifyAll();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        breakAll();
        closeQuietly(listening);
        notifyAll();
    }
}
