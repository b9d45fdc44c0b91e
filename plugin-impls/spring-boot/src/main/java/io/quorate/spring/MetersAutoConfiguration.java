package io.quorate.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.quorate.ElectionClient;
import io.quorate.ops.QuorateMeters;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Makes the meters, if the application has quorate-ops and Micrometer. Boot binds them. */
@AutoConfiguration(after = QuorateAutoConfiguration.class)
@ConditionalOnClass({QuorateMeters.class, MeterRegistry.class})
@ConditionalOnSingleCandidate(ElectionClient.class)
class MetersAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    QuorateMeters quorateMeters(ElectionClient client) {
        return new QuorateMeters(client);
    }
}
