package com.example.platforms.vertx;

import io.quorate.ElectionClient;
import io.quorate.Health;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;

/** The health checks of docs/vertx.md. */
final class Probes {

    private Probes() {}

    // docs: begin
    static HttpServer probes(Vertx vertx, ElectionClient client) {
        return vertx.createHttpServer().requestHandler(request -> {
            Health health = client.health();
            boolean isGood = request.path().equals("/live") ? health.isLive() : health.isReady(Health.Readiness.JOINED);
            request.response().setStatusCode(isGood ? 200 : 503).end();
        });
    }
    // docs: end
}
