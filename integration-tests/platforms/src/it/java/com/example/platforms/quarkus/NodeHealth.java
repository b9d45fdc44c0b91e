package com.example.platforms.quarkus;

import io.quorate.ElectionClient;
import io.quorate.Health;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/** The health checks of docs/quarkus.md. */
@ApplicationScoped
public class NodeHealth {

    // docs: begin
    @Produces
    @Liveness
    HealthCheck live(ElectionClient client) {
        return () -> answer(client.health().isLive());
    }

    @Produces
    @Readiness
    HealthCheck ready(ElectionClient client) {
        return () -> answer(client.health().isReady(Health.Readiness.JOINED));
    }

    private static HealthCheckResponse answer(boolean isUp) {
        return HealthCheckResponse.named("quorate").status(isUp).build();
    }
    // docs: end
}
