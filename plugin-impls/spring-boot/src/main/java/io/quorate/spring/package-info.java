/**
 * A client as a bean of Spring Boot 3.5 and 4.1. Document: docs/spring.md.
 *
 * <p>{@code QuorateAutoConfiguration} makes the client from {@code EnvironmentSettings}, and
 * {@code ElectionClientLifecycle} starts and closes it. {@code LeaderOnlyPostProcessor} puts the check of
 * {@link io.quorate.leaderonly.LeaderOnly} before methods, and {@link io.quorate.spring.LeaderLatches} holds the
 * latches that it asks. {@code ClientStatus} is what both health indicators and the endpoint tell, and
 * {@code JoinedAvailability} what makes a process ready. {@link io.quorate.spring.QuorateLeaderInitiator} is for Spring
 * Integration.
 *
 * <p>The path of a leader-only method may have <code>${...}</code> and <code>#{...}</code>, which are resolved when the
 * bean is made. Like all advice of Spring, the check sees calls from other beans, and not those from the same object. A
 * method that cannot be skipped, {@code @Async} ones among them, is refused when its bean is made. The end of the
 * application is the close of the context.
 */
@NullMarked
package io.quorate.spring;

import org.jspecify.annotations.NullMarked;
