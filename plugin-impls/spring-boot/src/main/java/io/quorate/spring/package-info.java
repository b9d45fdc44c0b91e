/**
 * A client as a bean of Spring Boot 3.5 and 4.1. Document: docs/spring.md.
 *
 * <p>{@code QuorateAutoConfiguration} makes the client from {@code EnvironmentSettings}, and {@code
 * ElectionClientLifecycle} starts and closes it. {@code LeaderOnlyPostProcessor} puts the check of {@link
 * io.quorate.spring.LeaderOnly} before methods, and {@link io.quorate.spring.LeaderLatches} holds the latches that it
 * asks. {@code ClientStatus} is what both health indicators and the endpoint tell, and {@code JoinedAvailability} what
 * makes a process ready. {@link io.quorate.spring.QuorateLeaderInitiator} is for Spring Integration.
 */
@NullMarked
package io.quorate.spring;

import org.jspecify.annotations.NullMarked;
