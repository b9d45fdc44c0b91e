package io.quorate.badimpls.tcp;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadSocket(Connection connection) {}
