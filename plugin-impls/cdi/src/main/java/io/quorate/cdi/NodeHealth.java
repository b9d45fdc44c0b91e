package io.quorate.cdi;

import io.quorate.ElectionClient;
import io.quorate.Health;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.function.BiPredicate;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/** Answers the probes of MicroProfile Health: docs/settings.md#probes. Nobody asks who leads. */
@Singleton
class NodeHealth {

    private final Instance<ElectionClient> client;
    private final ConfigSettings settings;

    @Inject
    NodeHealth(Instance<ElectionClient> client, ConfigSettings settings) {
        this.client = client;
        this.settings = settings;
    }

    @Produces
    @Singleton
    @Liveness
    HealthCheck live() {
        return () -> answer((found, health) -> health.isLive());
    }

    @Produces
    @Singleton
    @Readiness
    HealthCheck ready() {
        return () -> answer((found, health) -> settings.readiness().test(health));
    }

    /** Without other nodes a restart would help nobody, so this does not wait for them. */
    @Produces
    @Singleton
    @Startup
    HealthCheck started() {
        return () -> answer((found, health) -> found.getState() == ElectionClient.State.STARTED);
    }

    private HealthCheckResponse answer(BiPredicate<ElectionClient, Health> question) {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("quorate");
        if (!settings.isEnabled()) {
            return answer.up().withData("enabled", false).build();
        }
        ElectionClient found = client.get();
        // Without the paths: anyone who reaches the port may ask at any rate, and a client may lead thousands.
        Health health = found.probe();
        return answer.status(question.test(found, health))
                .withData("state", health.state().name())
                .withData("reason", health.reason())
                .withData("voters", String.join(",", health.voters()))
                .withData("supporters", String.join(",", health.supporters()))
                .build();
    }
}
