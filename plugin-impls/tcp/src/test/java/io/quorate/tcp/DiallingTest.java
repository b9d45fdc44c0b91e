package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.Deadline;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer is dialled, whatever failed before: what was left behind would keep it from that for good. */
class DiallingTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final Resolver resolver =
            new Resolver("test-names", host -> new InetAddress[] {InetAddress.getByAddress(new byte[] {127, 0, 0, 1})});
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<Connection> dialled = new ArrayList<>();
    /** How often each of these calls fails, from now on. */
    private final AtomicInteger failsLater = new AtomicInteger();

    private final AtomicInteger failsDialled = new AtomicInteger();
    private Selector selector;
    private ServerSocketChannel server;

    @BeforeEach
    void open() throws IOException {
        selector = Selector.open();
        server = ServerSocketChannel.open().bind(new InetSocketAddress(Nodes.loopback(), 0));
    }

    @AfterEach
    void close() throws IOException {
        dialled.forEach(Connection::close);
        resolver.close();
        server.close();
        selector.close();
    }

    private Object on(String method, Object[] arguments) {
        switch (method) {
            case "later" -> {
                throwIf(failsLater);
                tasks.add((Runnable) arguments[0]);
            }
            case "onDialled" -> {
                throwIf(failsDialled);
                dialled.add((Connection) arguments[0]);
            }
            case "isLeaving" -> {
                return false;
            }
            default -> {}
        }
        return null;
    }

    private static void throwIf(AtomicInteger failsMore) {
        if (failsMore.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("thrown by the test");
        }
    }

    private Peers peers(String host) {
        return new Peers(A, Map.of(B, new HostAndPort(host, server.socket().getLocalPort())), resolver, new Counters());
    }

    private Dialling dialling(Peers peers) {
        ConnectionEvents events = (ConnectionEvents) Proxy.newProxyInstance(
                ConnectionEvents.class.getClassLoader(),
                new Class<?>[] {ConnectionEvents.class},
                (proxy, method, arguments) -> on(method.getName(), arguments));
        return new Dialling(selector, resolver, Optional.empty(), new Alarm(), peers, null, null, events);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "b.example"})
    void anAnswerThatIsLostIsAskedForAgain(String host) {
        Peers peers = peers(host);
        Dialling dialling = dialling(peers);
        failsLater.set(2);
        Deadline.repeat(
                () -> catchThrowable(() -> dialling.begin(peers.get(B))),
                () -> !tasks.isEmpty(),
                () -> failsLater + " answers are to be lost");
        tasks.remove().run();
        assertThat(dialled).hasSize(1);
        assertThat(failsLater).hasValue(0);
    }

    @Test
    void aConnectionThatNobodyCouldTakeIsClosedAndAnotherIsDialled() {
        Peers peers = peers("127.0.0.1");
        Dialling dialling = dialling(peers);
        failsDialled.set(1);
        dialling.begin(peers.get(B));
        assertThat(catchThrowable(tasks.remove()::run)).isInstanceOf(OutOfMemoryError.class);
        assertThat(selector.keys()).as("those of closed ones are cancelled").allMatch(key -> !key.isValid());
        dialling.begin(peers.get(B));
        tasks.remove().run();
        assertThat(dialled).hasSize(1);
    }
}
