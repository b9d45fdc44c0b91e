package com.example.platforms.vertx5;

import io.quorate.ElectionClient;
import io.quorate.vertx.SingletonVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;

/** A block of docs/vertx.md. */
final class Orders extends VerticleBase {

    private final long token;

    private Orders(long token) {
        this.token = token;
    }

    @Override
    public Future<?> start() {
        System.out.println("leads " + token);
        return Future.succeededFuture();
    }

    static Future<SingletonVerticle> deploy(Vertx vertx, ElectionClient client) {
        // docs: begin
        Future<SingletonVerticle> orders = SingletonVerticle.deploy(
                vertx,
                client,
                "/app/orders",
                token -> new Orders(token), // each write of it carries this token
                new DeploymentOptions());
        // docs: end
        return orders;
    }
}
