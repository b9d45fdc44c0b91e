package io.quorate.vertx;

import io.quorate.ElectionClient;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A process with a verticle that is deployed once in the cluster. It says that all three voters support it, and when the
 * verticle begins and ends. Arguments: node id, peers, data directory. It ends when its input does.
 */
final class SingletonNode extends VerticleBase {

    private static final int VOTERS = 3;

    private SingletonNode() {}

    @Override
    public Future<?> start() {
        say("begin");
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        say("end");
        return Future.succeededFuture();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ElectionClient client = ElectionClient.builder()
                .nodeId(arguments[0])
                .peers(arguments[1])
                .dataDirectory(Path.of(arguments[2]))
                .transport("tcp")
                .build();
        client.start();
        Vertx vertx = Vertx.vertx();
        SingletonVerticle.deploy(vertx, client, "/app/singleton", token -> new SingletonNode(), new DeploymentOptions())
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        while (client.health().supporters().size() < VOTERS) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        say("connected");
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
        Runtime.getRuntime().halt(0);
    }

    // One write per line, so that a line is whole or absent when the process is killed.
    private static void say(String event) {
        byte[] line = (event + " " + System.nanoTime() + "\n").getBytes(StandardCharsets.UTF_8);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }
}
