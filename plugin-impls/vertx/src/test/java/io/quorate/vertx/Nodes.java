package io.quorate.vertx;

import io.quorate.spi.NodeId;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.FreePorts;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** What the tests of the transport need: addresses, inboxes, and transports that are closed at the end. */
final class Nodes implements AutoCloseable {

    static final String CLUSTER = "test.cluster";
    private static final long DEADLINE_SECONDS = 600;

    private final long begun = System.nanoTime();
    private final Map<NodeId, HostAndPort> addresses = new TreeMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** One free port of 127.0.0.1 for each name. */
    Nodes(String... names) {
        for (String name : names) {
            addresses.put(new NodeId(name), new HostAndPort("127.0.0.1", FreePorts.take()));
        }
    }

    Map<NodeId, HostAndPort> addresses() {
        return addresses;
    }

    HostAndPort address(String name) {
        return addresses.get(new NodeId(name));
    }

    Settings settings(String name) {
        return new Settings(CLUSTER, new NodeId(name), addresses);
    }

    /** A started transport with its own Vertx, closed at the end. */
    VertxTransport start(Settings settings, Transport.Receiver receiver) {
        VertxTransport transport = keep(VertxTransport.embedded(settings));
        transport.start(receiver);
        return transport;
    }

    VertxTransport start(String name, Transport.Receiver receiver, Tls tls) {
        return start(new Settings(CLUSTER, new NodeId(name), addresses, Optional.empty(), Optional.of(tls)), receiver);
    }

    VertxTransport start(String name, Transport.Receiver receiver) {
        return start(settings(name), receiver);
    }

    /** An application's clustered Vertx at the address of {@code name}, closed at the end. */
    Vertx vertx(String name, Map<NodeId, HostAndPort> list) {
        VertxOptions options = EmbeddedOptions.vertx(address(name));
        Vertx vertx = Vertx.builder()
                .with(options)
                .withClusterManager(new StaticClusterManager(CLUSTER, new NodeId(name), list))
                .buildClustered()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .join();
        opened.add(() -> closeVertx(vertx));
        return vertx;
    }

    Vertx vertx(String name) {
        return vertx(name, addresses);
    }

    <T extends AutoCloseable> T keep(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    static void closeVertx(Vertx vertx) {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** How many lines there may be by now about a subject that is logged at most once a minute. */
    int linesMax() {
        // Justification: the bound grows with the time that a busy machine takes, and is 1 within a minute.
        return 1 + (int) ((System.nanoTime() - begun) / 60_000_000_000L);
    }

    @Override
    public void close() {
        for (int i = opened.size() - 1; i >= 0; i--) {
            try {
                opened.get(i).close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Exception e) {
                // Justification: AutoCloseable.close declares it.
                throw new AssertionError(e);
            }
        }
    }
}
