package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the tests of the transport need: addresses, inboxes, and transports that are closed at the end. */
final class Nodes implements AutoCloseable {

    static final String CLUSTER = "test.cluster";

    private final long begun = System.nanoTime();
    private final Map<NodeId, HostAndPort> addresses = new TreeMap<>();
    private final List<Transport> opened = new CopyOnWriteArrayList<>();

    /** One free port of 127.0.0.1 for each name. */
    Nodes(String... names) {
        for (String name : names) {
            addresses.put(new NodeId(name), new HostAndPort("127.0.0.1", FreePorts.take()));
        }
    }

    static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    Map<NodeId, HostAndPort> addresses() {
        return addresses;
    }

    HostAndPort address(String name) {
        return Objects.requireNonNull(addresses.get(new NodeId(name)));
    }

    int port(String name) {
        return address(name).port();
    }

    Settings settings(String name) {
        return new Settings(CLUSTER, new NodeId(name), addresses);
    }

    /** A started transport, closed at the end. */
    TcpTransport start(Settings settings, Transport.Receiver receiver) {
        TcpTransport transport = new TcpTransport(settings);
        opened.add(transport);
        transport.start(receiver);
        return transport;
    }

    TcpTransport start(String name, Transport.Receiver receiver) {
        return start(settings(name), receiver);
    }

    /** How many lines there may be by now about a subject that is logged at most once a minute. */
    int linesMax() {
        // Justification: the bound grows with the time that a busy machine takes, and is 1 within a minute.
        return 1 + (int) ((System.nanoTime() - begun) / 60_000_000_000L);
    }

    @Override
    public void close() {
        opened.forEach(Transport::close);
    }
}
