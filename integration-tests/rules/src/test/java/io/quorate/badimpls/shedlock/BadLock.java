package io.quorate.badimpls.shedlock;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadLock(Connection connection) {}
