package com.example.vertx;

import io.quorate.ElectionClient;
import io.quorate.vertx.SingletonVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;

/** A verticle that is deployed on one of the processes. */
public final class VertxApp extends VerticleBase {

    private final long token;

    private VertxApp(long token) {
        this.token = token;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(200, timer -> System.out.println("polls the orders with token " + token));
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        System.out.println("stops polling");
        return Future.succeededFuture();
    }

    /** The environment has its node id, its peers and its data directory. */
    public static void main(String[] arguments) {
        ElectionClient client =
                ElectionClient.builder().from(System.getenv()).transport("tcp").build();
        Vertx vertx = Vertx.vertx();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            await(vertx.close());
            client.close();
        }));
        client.start();
        await(SingletonVerticle.deploy(vertx, client, "/examples/vertx", VertxApp::new, new DeploymentOptions()));
    }

    private static void await(Future<?> future) {
        future.toCompletionStage().toCompletableFuture().join();
    }
}
