/**
 * A cluster service for Apache Camel. Document: docs/camel.md.
 *
 * <p>{@link io.quorate.camel.QuorateClusterService} makes a {@link io.quorate.camel.QuorateClusterView} for each
 * namespace, which has a latch and an observer while it is started, and tells each {@code Registration} of a listener
 * who leads. {@code QuorateClusterAutoConfiguration} makes the service for Spring Boot.
 */
@NullMarked
package io.quorate.camel;

import org.jspecify.annotations.NullMarked;
