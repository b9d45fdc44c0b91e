package io.quorate.badimpls.ops;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadEndpoint(Connection connection) {}
