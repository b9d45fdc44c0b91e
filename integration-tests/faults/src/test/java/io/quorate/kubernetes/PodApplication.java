package io.quorate.kubernetes;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.ops.OpsServer;
import java.nio.file.Path;

/** The application of docs/kubernetes.md. */
final class PodApplication {

    static final String PATH = "/app/leader";
    static final int PROBES_PORT = 8080;
    static final int OPERATORS_PORT = 8081;

    private PodApplication() {}

    /** Runs until SIGTERM. */
    public static void main(String[] arguments) throws Exception {
        ElectionClient client = ElectionClient.builder().from(System.getenv()).build();
        OpsServer.builder(client).address("0.0.0.0").port(PROBES_PORT).start();
        OpsServer.builder(client)
                .port(OPERATORS_PORT)
                .tokenFile(Path.of(System.getenv("OPS_TOKEN_FILE")))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(client::close));
        LeaderLatch latch = new LeaderLatch(client, PATH, client.nodeId());
        latch.start();
        client.start();
        Thread.currentThread().join();
    }
}
