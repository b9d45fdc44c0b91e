package io.quorate.cli.play;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port whose connections go on to another one. While one of its valves is closed, sockets stay open, and what is sent
 * that way waits, as it does for TCP when a cable is cut.
 */
final class Proxy implements Closeable {

    /** While the proxy is cut, more attempts to connect than these get no answer. */
    private static final int BACKLOG = 2;

    private static final int BUFFER_BYTES = 16 * 1024;

    private final ServerSocket server;
    private final int target;
    private final Valve there;
    private final Valve back;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Listens at a free port of the loopback address.
     *
     * @param target the port to go on to
     * @param there  the valve on the way to it
     */
    Proxy(int target, Valve there, Valve back) throws IOException {
        this.target = target;
        this.there = there;
        this.back = back;
        server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                open.add(near);
                // To connect needs both ways.
                there.awaitOpen();
                back.awaitOpen();
                connect(near);
            }
        } catch (IOException e) {
            // Justification: that is how it ends when it is closed.
        }
    }

    // Justification: both are closed when either of them ends.
    @SuppressWarnings("resource")
    private void connect(Socket near) {
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            start(() -> pass(near, far, there));
            start(() -> pass(far, near, back));
        } catch (IOException e) {
            // Justification: nobody listens there now, and the node that connects sees that.
            end(near);
        }
    }

    private void pass(Socket from, Socket to, Valve valve) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            int count = from.getInputStream().read(buffer);
            while (count >= 0) {
                valve.awaitOpen();
                to.getOutputStream().write(buffer, 0, count);
                count = from.getInputStream().read(buffer);
            }
            valve.awaitOpen();
        } catch (IOException e) {
            // Justification: one of them is closed, as it may be; the other one follows.
        }
        end(from);
        end(to);
    }

    private void end(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // Justification: it is of no use any more, in whatever state.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        there.end();
        back.end();
        open.forEach(this::end);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "quorate-lab-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
