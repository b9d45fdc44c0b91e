package io.quorate.badimpls.tcp;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadSocket(Connection connection) {}
