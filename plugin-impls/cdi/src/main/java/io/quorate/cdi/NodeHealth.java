package io.quorate.cdi;

import io.quorate.ElectionClient;
import io.quorate.Health;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.function.Function;
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
        return () -> answer(found -> found.health().isLive());
    }

    @Produces
    @Singleton
    @Readiness
    HealthCheck ready() {
        return () -> answer(found -> settings.readiness().test(found.health()));
    }

    /** Without other nodes a restart would help nobody, so this does not wait for them. */
    @Produces
    @Singleton
    @Startup
    HealthCheck started() {
        return () -> answer(found -> found.getState() == ElectionClient.State.STARTED);
    }

    private HealthCheckResponse answer(Function<ElectionClient, Boolean> question) {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("quorate");
        if (!settings.isEnabled()) {
            return answer.up().withData("enabled", false).build();
        }
        ElectionClient found = client.get();
        Health health = found.health();
        return answer.status(question.apply(found))
                .withData("state", health.state().name())
                .withData("reason", health.reason())
                .withData("voters", String.join(",", health.voters()))
                .withData("supporters", String.join(",", health.supporters()))
                .withData("leads", health.leads().toString())
                .build();
    }
}
