package io.quorate.camel;

import io.quorate.ElectionClient;
import io.quorate.process.NodeMain;
import java.util.concurrent.TimeUnit;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;

/**
 * A process with a route that runs on one node of the cluster. It says that all three voters support it, and when each
 * exchange begins and ends. Arguments: node id, peers, data directory. It ends when its input does.
 */
final class RouteNode {

    private static final int VOTERS = 3;
    private static final long WORK_MILLIS = 150;

    private RouteNode() {}

    public static void main(String[] arguments) throws Exception {
        ElectionClient client = NodeMain.client(arguments).build();
        client.start();
        DefaultCamelContext context = new DefaultCamelContext();
        context.disableJMX();
        context.addService(new QuorateClusterService(client));
        context.addComponent("ticker", new Ticker());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() throws Exception {
                from("ticker:a")
                        .routePolicy(ClusteredRoutePolicy.forNamespace("killed"))
                        .process(exchange -> work());
            }
        });
        NodeMain.awaitSupport(client, VOTERS);
        NodeMain.say("connected " + System.nanoTime());
        context.start();
        // Nobody says anything.
        NodeMain.obeyToTheEnd(words -> {});
    }

    private static void work() throws InterruptedException {
        NodeMain.say("begin " + System.nanoTime());
        TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
        NodeMain.say("end " + System.nanoTime());
    }
}
