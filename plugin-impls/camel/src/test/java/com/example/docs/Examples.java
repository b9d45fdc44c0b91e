package com.example.docs;

import io.quorate.ElectionClient;
import io.quorate.camel.QuorateClusterService;
import io.quorate.camel.QuorateClusterView;
import java.util.OptionalLong;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;

/** The blocks of docs/camel.md, so that they compile. */
final class Examples {

    private Examples() {}

    /** Its classes are static. */
    interface Whole {
        public class App extends RouteBuilder {

            @Override
            public void configure() throws Exception {
                from("timer:bills")
                        .routePolicy(ClusteredRoutePolicy.forNamespace("bills"))
                        .process(exchange -> System.out.println("sends a bill"));
                from("master:orders:timer:poll").process(exchange -> System.out.println("polls for orders"));
            }

            public static void main(String[] arguments) throws Exception {
                ElectionClient client =
                        ElectionClient.builder().from(System.getenv()).build();
                CamelContext camel = new DefaultCamelContext();
                camel.addService(new QuorateClusterService(client));
                camel.addRoutes(new App());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    client.close(); // the routes have stopped when this returns
                    camel.stop();
                }));
                client.start();
                camel.start();
                Thread.currentThread().join();
            }
        }
    }

    static OptionalLong token(CamelContext camel) throws Exception {
        QuorateClusterView view =
                camel.hasService(QuorateClusterService.class).getView("orders").unwrap(QuorateClusterView.class);
        OptionalLong token = view.fencingToken();
        return token;
    }
}
