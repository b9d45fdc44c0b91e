package io.quorate.spring;

import io.quorate.ElectionClient;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Makes an {@link ElectionClient} from the settings {@code quorate.*} of the environment, starts it with the context
 * and closes it with the context. It makes none if the application has one, and then starts and closes that one. If
 * there are several, it takes the primary one; without a primary one it leaves all to the application. With {@code
 * quorate.enabled=false} it makes and starts none.
 */
@AutoConfiguration
public class QuorateAutoConfiguration {

    /** For Spring. */
    public QuorateAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    LeaderLatches leaderLatches(ObjectProvider<ElectionClient> client) {
        return new LeaderLatches(client::getIfAvailable);
    }

    // Static, and the latches come later: it is made before all other beans.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyPostProcessor leaderOnlyPostProcessor(ObjectProvider<LeaderLatches> latches) {
        return new LeaderOnlyPostProcessor(latches::getObject);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "quorate.enabled", matchIfMissing = true)
    @EnableConfigurationProperties(QuorateProperties.class)
    static class ClientConfiguration {

        @Bean
        @ConditionalOnMissingBean
        ElectionClient electionClient(
                ConfigurableEnvironment environment,
                QuorateProperties properties,
                ObjectProvider<ElectionClientBuilderCustomizer> customizers) {
            ElectionClient.Builder builder =
                    EnvironmentSettings.make(environment, properties, ElectionClient.builder());
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
            try {
                return builder.build();
            } catch (IllegalArgumentException e) {
                throw new SettingsFailureAnalyzer.SettingsException(e);
            }
        }

        // Conditions are looked at in the order of the methods: the client is known now.
        @Bean
        @ConditionalOnSingleCandidate(ElectionClient.class)
        ElectionClientLifecycle electionClientLifecycle(ElectionClient client, ApplicationEventPublisher events) {
            return new ElectionClientLifecycle(client, events);
        }

        @Bean
        @ConditionalOnMissingBean(ElectionClientLifecycle.class)
        SeveralClients severalClients(ListableBeanFactory beans) {
            return new SeveralClients(List.of(beans.getBeanNamesForType(ElectionClient.class, true, false)));
        }
    }
}
