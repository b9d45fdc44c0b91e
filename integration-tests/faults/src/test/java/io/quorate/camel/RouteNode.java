package io.quorate.camel;

import io.quorate.ElectionClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .dataDirectory(Path.of(arguments[2]))
                .transport("tcp")
                .build();
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
        while (client.health().supporters().size() < VOTERS) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        say("connected");
        context.start();
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void work() throws IOException, InterruptedException {
        say("begin");
        TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
        say("end");
    }

    // One write per line, so that a line is whole or absent when the process is killed.
    private static void say(String event) {
        byte[] line = (event + " " + System.nanoTime() + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }
}
