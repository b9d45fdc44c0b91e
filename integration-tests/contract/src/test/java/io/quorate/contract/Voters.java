package io.quorate.contract;

import io.quorate.ElectionClient;
import io.quorate.demo.Cluster;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.testkit.CuttableTransport;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Three voters of one JVM in real time, with sockets; and what a contender needs to reach them. */
final class Voters implements Closeable {

    /**
     * Longer than in any profile for a local network: on a busy machine threads wait for hundreds of milliseconds, and
     * what is tested here is not how long a fail-over takes.
     */
    static final Duration SUPPORT = Duration.ofMillis(1500);

    private static final String CLUSTER_ID = "contract";
    private static final String ALGORITHM = "ballot";
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(2);

    private final Function<Settings, Transport> transports;
    private final Map<NodeId, HostAndPort> addresses = new HashMap<>();
    private final List<ElectionClient> running = new ArrayList<>();
    private final List<CuttableTransport> links = new ArrayList<>();

    /** Starts them. */
    Voters(Function<Settings, Transport> transports) {
        this.transports = transports;
        List<String> ids = Stream.concat(QuorateSide.VOTERS.stream(), QuorateSide.CONTENDERS.stream())
                .toList();
        Cluster.freeAddresses(ids).forEach((id, address) -> {
            String[] parts = address.split(":");
            addresses.put(new NodeId(id), new HostAndPort(parts[0], Integer.parseInt(parts[1])));
        });
        start();
    }

    CuttableTransport transport(String id) {
        return new CuttableTransport(transports.apply(new Settings(CLUSTER_ID, new NodeId(id), Map.copyOf(addresses))));
    }

    ElectionClient.Builder node(String id, Transport transport) {
        return ElectionClient.builder()
                .clusterId(CLUSTER_ID)
                .nodeId(id)
                .voters(QuorateSide.VOTERS)
                .transport(transport)
                .supportDuration(SUPPORT)
                .algorithm(ALGORITHM)
                .connectionTimeout(CONNECTION_TIMEOUT);
    }

    /** Starts those that were stopped, with nothing that they remember. */
    void start() {
        if (!running.isEmpty()) {
            return;
        }
        boolean haveStarted = false;
        try {
            for (String id : QuorateSide.VOTERS) {
                CuttableTransport link = transport(id);
                ElectionClient voter = node(id, link).build();
                links.add(link);
                running.add(voter);
                voter.start();
            }
            haveStarted = true;
        } finally {
            if (!haveStarted) {
                // Else the next start would find voters that do not run, and take them for started.
                stop();
            }
        }
    }

    /** Stops all without a word to anybody. */
    void stop() {
        links.forEach(CuttableTransport::cut);
        close();
        links.clear();
        running.clear();
    }

    @Override
    public void close() {
        running.forEach(ElectionClient::close);
    }
}
