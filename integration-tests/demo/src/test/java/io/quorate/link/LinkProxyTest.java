package io.quorate.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.link.LinkProxy.Way;
import io.quorate.testkit.RealTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That a cut link is one: nothing passes, nobody notices, and nothing is lost. */
@RealTime
class LinkProxyTest {

    /** For what must not come: long enough for loopback, short enough for a test. */
    private static final int SILENCE_MILLIS = 100;
    /** For what must come: a read that waits for ever could not be interrupted. */
    private static final int DEADLINE_MILLIS = 600_000;

    private final List<Socket> sockets = new ArrayList<>();
    private ServerSocket server;
    private LinkProxy link;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(DEADLINE_MILLIS);
        link = new LinkProxy("127.0.0.1:" + server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket connect() throws IOException {
        int port = Integer.parseInt(link.address().split(":")[1]);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(DEADLINE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private Socket accept() throws IOException {
        Socket socket = server.accept();
        socket.setSoTimeout(DEADLINE_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private static void assertPasses(Socket from, Socket to, int what) throws IOException {
        from.getOutputStream().write(what);
        assertThat(to.getInputStream().read()).isEqualTo(what);
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(DEADLINE_MILLIS);
    }

    @Test
    void oneWayIsCutAndTheOtherIsNot() throws IOException {
        for (Way way : Way.values()) {
            Socket near = connect();
            Socket far = accept();
            Socket from = way == Way.THERE ? near : far;
            Socket to = way == Way.THERE ? far : near;
            assertPasses(from, to, 1);
            link.cut(way);
            from.getOutputStream().write(2);
            assertSilent(to);
            assertPasses(to, from, 3);
            link.heal();
            assertThat(to.getInputStream().read()).as("what has waited").isEqualTo(2);
            assertPasses(from, to, 4);
        }
    }

    @Test
    void newConnectionsWaitForBothWays() throws IOException {
        for (Way way : Way.values()) {
            link.cut(way);
            Socket near = connect();
            server.setSoTimeout(SILENCE_MILLIS);
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
            assertSilent(near);
            link.heal();
            server.setSoTimeout(DEADLINE_MILLIS);
            assertPasses(near, accept(), 5);
        }
    }

    @Test
    void anEndIsSeenBeyondTheLinkOnceItIsWhole() throws IOException {
        Socket near = connect();
        Socket far = accept();
        link.cut(Way.THERE);
        near.close();
        assertSilent(far);
        link.heal();
        assertThat(far.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void severedConnectionsBreakAndNewOnesWait() throws IOException {
        Socket near = connect();
        Socket far = accept();
        assertPasses(near, far, 1);
        link.sever();
        assertThat(near.getInputStream().read()).isEqualTo(-1);
        assertThat(far.getInputStream().read()).isEqualTo(-1);
        Socket next = connect();
        server.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        link.heal();
        server.setSoTimeout(DEADLINE_MILLIS);
        assertPasses(next, accept(), 2);
    }

    @Test
    void connectionsEndWithTheLink() throws IOException {
        Socket near = connect();
        accept();
        link.cut(Way.THERE);
        link.close();
        assertThat(near.getInputStream().read()).isEqualTo(-1);
    }
}
