package io.quorate.badimpls.vertx;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadTransport(Connection connection) {}
