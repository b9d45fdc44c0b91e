package io.quorate.vertx;

import io.quorate.ElectionClient;
import io.quorate.process.NodeMain;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;

/**
 * A process with a verticle that is deployed once in the cluster. It says that all three voters support it, and when the
 * verticle begins and ends. Arguments: node id, peers, data directory. It ends when its input does.
 */
final class SingletonNode extends VerticleBase {

    private static final int VOTERS = 3;

    private SingletonNode() {}

    @Override
    public Future<?> start() {
        NodeMain.say("begin " + System.nanoTime());
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        NodeMain.say("end " + System.nanoTime());
        return Future.succeededFuture();
    }

    public static void main(String[] arguments) throws Exception {
        ElectionClient client = NodeMain.client(arguments).build();
        client.start();
        Vertx vertx = Vertx.vertx();
        SingletonVerticle.deploy(vertx, client, "/app/singleton", token -> new SingletonNode(), new DeploymentOptions())
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        NodeMain.awaitSupport(client, VOTERS);
        NodeMain.say("connected " + System.nanoTime());
        // Nobody says anything.
        NodeMain.obeyToTheEnd(words -> {});
    }
}
