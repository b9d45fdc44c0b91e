package io.quorate.badimpls.ops;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadEndpoint(Connection connection) {}
