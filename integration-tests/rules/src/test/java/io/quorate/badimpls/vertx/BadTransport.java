package io.quorate.badimpls.vertx;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadTransport(Connection connection) {}
