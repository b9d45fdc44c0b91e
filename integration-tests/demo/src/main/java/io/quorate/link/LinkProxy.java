package io.quorate.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * A link that can be cut: a port whose connections go on to another one. While it is cut, sockets stay open, what is
 * sent waits as TCP's retransmissions do, and new connections get no further than this.
 */
public final class LinkProxy implements AutoCloseable {

    /** Which way bytes go, from the point of view of whoever connects. */
    public enum Way {
        THERE,
        BACK
    }

    private static final int BUFFER_BYTES = 16 * 1024;

    private final InetSocketAddress target;
    private final ServerSocket server;
    private final Set<Way> cut = EnumSet.noneOf(Way.class);
    private final Set<Socket> open = Collections.synchronizedSet(new HashSet<>());
    private boolean isClosed;

    /** Listens at a free port of 127.0.0.1. */
    public LinkProxy(String target) {
        int colon = target.lastIndexOf(':');
        this.target = new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("link to " + target, this::accept);
    }

    /** Where to connect to. */
    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** From now on nothing passes that way. */
    public synchronized void cut(Way way) {
        cut.add(way);
    }

    /** Cuts both ways and breaks the connections that are there, so that both ends see it at once. */
    public void sever() {
        for (Way way : Way.values()) {
            cut(way);
        }
        breakAll();
    }

    private void breakAll() {
        end(open.toArray(Socket[]::new));
    }

    /** All that has waited passes. */
    public synchronized void heal() {
        cut.clear();
        notifyAll();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                open.add(near);
                start("link to " + target, () -> connect(near));
            }
        } catch (IOException e) {
            // Justification: that is how it ends when it is closed.
        }
    }

    // To connect needs both ways.
    private void connect(Socket near) {
        Socket far = new Socket();
        open.add(far);
        try {
            awaitWhole(EnumSet.allOf(Way.class));
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            far.connect(target);
            start("there", () -> pass(near, far, Way.THERE));
            pass(far, near, Way.BACK);
        } catch (IOException e) {
            end(near, far);
        }
    }

    private void pass(Socket from, Socket to, Way way) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int count = in.read(buffer);
            while (count >= 0) {
                awaitWhole(EnumSet.of(way));
                out.write(buffer, 0, count);
                count = in.read(buffer);
            }
        } catch (IOException e) {
            // Justification: one of them is closed, as it may be; the other one follows.
        }
        try {
            awaitWhole(EnumSet.of(way));
        } catch (IOException e) {
            // Justification: the link itself is closed, and so are its connections.
        }
        end(from, to);
    }

    private synchronized void awaitWhole(Set<Way> ways) throws IOException {
        try {
            while (!isClosed && !Collections.disjoint(cut, ways)) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (isClosed) {
            throw new IOException("closed");
        }
    }

    private void end(Socket... sockets) {
        for (Socket socket : sockets) {
            open.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // Justification: it is of no use any more, in whatever state.
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        breakAll();
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
