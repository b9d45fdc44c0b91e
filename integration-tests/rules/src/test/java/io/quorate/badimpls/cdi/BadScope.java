package io.quorate.badimpls.cdi;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadScope(Connection connection) {}
