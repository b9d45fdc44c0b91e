package io.quorate.spring;

import io.quorate.ElectionClient;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The component {@code quorate} of {@code /actuator/health} on Boot 3. */
@AutoConfiguration(after = QuorateAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(ElectionClient.class)
class Boot3HealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("quorate")
    @ConditionalOnMissingBean(name = "quorateHealthIndicator")
    HealthIndicator quorateHealthIndicator(ElectionClient client) {
        return () -> {
            ClientStatus status = ClientStatus.of(client.probe());
            return Health.status(status.code()).withDetails(status.details()).build();
        };
    }
}
