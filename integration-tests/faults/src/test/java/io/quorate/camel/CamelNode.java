package io.quorate.camel;

import io.quorate.ElectionClient;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.TcpTransport;
import io.quorate.testkit.CuttableTransport;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;

/** A client whose links can be cut, and a context of Camel with one route on it. */
final class CamelNode implements AutoCloseable {

    static final String NAMESPACE = "ns";
    static final String ROUTE = "clustered";
    private static final String CLUSTER = "camel";

    /** What keeps the route to the leader. */
    enum By {
        MASTER,
        POLICY
    }

    final String id;
    final CuttableTransport transport;
    final ElectionClient client;
    final QuorateClusterService service;
    final Ticker ticker = new Ticker();
    final AtomicInteger exchanges = new AtomicInteger();
    final DefaultCamelContext context;

    CamelNode(String id, Map<NodeId, HostAndPort> addresses, By by) throws Exception {
        this.id = id;
        this.transport = new CuttableTransport(
                new TcpTransport(new TransportProvider.Settings(CLUSTER, new NodeId(id), addresses)));
        this.client = ElectionClient.builder()
                .clusterId(CLUSTER)
                .nodeId(id)
                .voters(addresses.keySet().stream().map(NodeId::value).toList())
                .transport(transport)
                .build();
        this.service = new QuorateClusterService(client);
        this.context = ticker.context(service);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() throws Exception {
                switch (by) {
                    case MASTER ->
                        from("master:" + NAMESPACE + ":ticker:a")
                                .routeId(ROUTE)
                                .process(exchange -> exchanges.incrementAndGet());
                    case POLICY ->
                        from("ticker:a")
                                .routeId(ROUTE)
                                .routePolicy(ClusteredRoutePolicy.forNamespace(NAMESPACE))
                                .process(exchange -> exchanges.incrementAndGet());
                }
            }
        });
    }

    void start() {
        client.start();
        context.start();
    }

    boolean isLeader() {
        return service.isLeader(NAMESPACE);
    }

    /** Whether its consumer runs. */
    boolean runs() {
        return ticker.spans.stream().anyMatch(Ticker.Span::isOpen);
    }

    @Override
    public String toString() {
        return id + (isLeader() ? " leads" : " does not lead") + (runs() ? ", its consumer runs" : "") + ", "
                + exchanges + " exchanges, " + ticker.spans.size() + " starts, " + client.connectionState();
    }

    @Override
    public void close() {
        context.stop();
        client.close();
    }
}
