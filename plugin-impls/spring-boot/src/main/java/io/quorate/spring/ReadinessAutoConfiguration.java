package io.quorate.spring;

import io.quorate.ElectionClient;
import io.quorate.Health;
import java.util.Locale;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Makes the process ready when its node has joined, or when {@code quorate.readiness} says. */
@AutoConfiguration(after = QuorateAutoConfiguration.class, before = ApplicationAvailabilityAutoConfiguration.class)
@ConditionalOnSingleCandidate(ElectionClient.class)
class ReadinessAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(ApplicationAvailability.class)
    JoinedAvailability applicationAvailability(ElectionClient client, Environment environment) {
        return new JoinedAvailability(client, isReady(environment.getProperty("quorate.readiness", "joined")));
    }

    private static Predicate<Health> isReady(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "joined" -> health -> health.isReady(Health.Readiness.JOINED);
            case "connected" -> health -> health.isReady(Health.Readiness.CONNECTED);
            case "none" -> health -> true;
            default ->
                throw new IllegalArgumentException(
                        "quorate.readiness '" + text + "': must be one of joined, connected and none");
        };
    }
}
