package com.example.docs;

import io.quorate.ElectionClient;
import io.quorate.camel.QuorateClusterService;
import io.quorate.camel.QuorateClusterView;
import java.util.OptionalLong;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;

/** The blocks of docs/camel.md, so that they compile. */
final class Examples {

    private Examples() {}

    static void routes(CamelContext camel, ElectionClient client) throws Exception {
        camel.addService(new QuorateClusterService(client));
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() throws Exception {
                from("master:orders:timer:poll").to("direct:poll");
                from("timer:bills")
                        .routePolicy(ClusteredRoutePolicy.forNamespace("bills"))
                        .to("direct:bills");
            }
        });
    }

    static OptionalLong token(CamelContext camel) throws Exception {
        QuorateClusterView view =
                camel.hasService(QuorateClusterService.class).getView("orders").unwrap(QuorateClusterView.class);
        OptionalLong token = view.fencingToken();
        return token;
    }
}
