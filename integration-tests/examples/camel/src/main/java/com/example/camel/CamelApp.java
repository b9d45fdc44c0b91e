package com.example.camel;

import io.quorate.ElectionClient;
import io.quorate.camel.QuorateClusterService;
import io.quorate.camel.QuorateClusterView;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;

/** A route that runs on one of the processes. */
public final class CamelApp extends RouteBuilder {

    private static final String NAMESPACE = "bills";

    private final QuorateClusterService service;

    private CamelApp(QuorateClusterService service) {
        this.service = service;
    }

    @Override
    public void configure() throws Exception {
        QuorateClusterView view = service.getView(NAMESPACE).unwrap(QuorateClusterView.class);
        from("timer:bills?period=200")
                .routePolicy(ClusteredRoutePolicy.forNamespace(NAMESPACE))
                .process(exchange ->
                        view.fencingToken().ifPresent(token -> System.out.println("sends a bill with token " + token)));
    }

    /** The environment has its node id, its peers and its data directory. */
    public static void main(String[] arguments) throws Exception {
        ElectionClient client = ElectionClient.builder().from(System.getenv()).build();
        CamelContext camel = new DefaultCamelContext();
        QuorateClusterService service = new QuorateClusterService(client);
        camel.addService(service);
        camel.addRoutes(new CamelApp(service));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            // The route has stopped when the client is closed.
            client.close();
            camel.stop();
        }));
        client.start();
        camel.start();
        Thread.currentThread().join();
    }
}
