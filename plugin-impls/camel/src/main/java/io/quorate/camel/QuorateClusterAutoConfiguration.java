package io.quorate.camel;

import io.quorate.ElectionClient;
import org.apache.camel.cluster.CamelClusterService;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Makes a {@link QuorateClusterService} of the bean {@link ElectionClient} if {@code camel.cluster.quorate.enabled} is
 * true. Camel adds it to its context. {@code camel.cluster.quorate.base-path}, {@code .id}, {@code .order} and
 * {@code .attributes} are its settings.
 */
@AutoConfiguration(
        // By name: applications without the starter, or without Camel's, have no such class.
        afterName = "io.quorate.spring.QuorateAutoConfiguration",
        beforeName = {
            "org.apache.camel.spring.boot.cluster.ClusteredRouteControllerAutoConfiguration",
            "org.apache.camel.spring.boot.CamelAutoConfiguration"
        })
@ConditionalOnClass(CamelClusterService.class)
@ConditionalOnSingleCandidate(ElectionClient.class)
@ConditionalOnProperty(prefix = QuorateClusterAutoConfiguration.PREFIX, name = "enabled")
class QuorateClusterAutoConfiguration {

    static final String PREFIX = "camel.cluster.quorate";

    @Bean("quorate-cluster-service")
    @ConditionalOnMissingBean
    QuorateClusterService quorateClusterService(ElectionClient client, Environment environment) {
        // Its errors name the key.
        Binder settings = Binder.get(environment);
        String basePath =
                settings.bind(PREFIX + ".base-path", String.class).orElse(QuorateClusterService.DEFAULT_BASE_PATH);
        QuorateClusterService service = new QuorateClusterService(client, basePath);
        settings.bind(PREFIX + ".id", String.class).ifBound(service::setId);
        settings.bind(PREFIX + ".order", Integer.class).ifBound(service::setOrder);
        settings.bind(PREFIX + ".attributes", Bindable.mapOf(String.class, Object.class))
                .ifBound(service::setAttributes);
        return service;
    }
}
