package io.quorate.badimpls.cdi;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadScope(Connection connection) {}
