package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.spi.NodeId;
import io.quorate.transport.Admission;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AcceptorTest {

    private static final NodeId A = new NodeId("a");

    // As where the heap is full: whoever comes later would find the room taken for good.
    @Test
    void connectionThatFailsHalfOpenIsClosedAndFreed() throws IOException {
        Counters counters = new Counters();
        Alarm alarm = new Alarm();
        ConnectionEvents events = (ConnectionEvents) Proxy.newProxyInstance(
                ConnectionEvents.class.getClassLoader(),
                new Class<?>[] {ConnectionEvents.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("onAccepted")) {
                        throw new OutOfMemoryError("thrown by the test");
                    }
                    return method.getName().equals("isLeaving") ? false : null;
                });
        List<Socket> sockets = new ArrayList<>();
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(Nodes.loopback(), 0)).configureBlocking(false);
            int port = server.socket().getLocalPort();
            Peers peers = new Peers(A, Map.of(), new Resolver("test-names"), counters);
            Acceptor acceptor =
                    new Acceptor(server, selector, alarm, peers, counters, new Reports(A, alarm::now), events);
            for (int i = 0; i <= Admission.WAITING_MORE; i++) {
                sockets.add(new Socket(Nodes.loopback(), port));
                assertThatExceptionOfType(OutOfMemoryError.class)
                        .as("connection %d", i)
                        .isThrownBy(acceptor::accept);
            }
            assertThat(counters.connectionsRefused.sum()).isZero();
            // The JDK closes what a selector watched when that looks again.
            selector.selectNow();
            for (Socket socket : sockets) {
                assertThat(isClosed(socket)).isTrue();
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        socket.setSoTimeout(600_000);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
