package io.quorate.spring;

import io.quorate.ElectionClient;

/**
 * Makes settings of the client that the starter builds, for those that have no key: a transport that the application
 * made, or a secret from its own store. Each bean of this type is called once, in the order of Spring's
 * {@code @Order}, after the settings of the environment, so what it says counts.
 */
@FunctionalInterface
public interface ElectionClientBuilderCustomizer {

    /**
     * Changes the builder.
     *
     * @param builder has the settings of the environment; must not be built here
     */
    void customize(ElectionClient.Builder builder);
}
