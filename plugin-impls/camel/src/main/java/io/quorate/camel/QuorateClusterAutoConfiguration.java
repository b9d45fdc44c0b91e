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
    @ConditionalOnMissingBean(QuorateClusterService.class)
    CamelClusterService quorateClusterService(ElectionClient client, Environment environment) {
        String basePath = environment.getProperty(PREFIX + ".base-path", QuorateClusterService.DEFAULT_BASE_PATH);
        QuorateClusterService service = new QuorateClusterService(client, basePath);
        String id = environment.getProperty(PREFIX + ".id");
        if (id != null) {
            service.setId(id);
        }
        Integer order = environment.getProperty(PREFIX + ".order", Integer.class);
        if (order != null) {
            service.setOrder(order);
        }
        Binder.get(environment)
                .bind(PREFIX + ".attributes", Bindable.mapOf(String.class, Object.class))
                .ifBound(service::setAttributes);
        return service;
    }
}
