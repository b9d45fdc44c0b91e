package io.quorate.badimpls.shedlock;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadLock(Connection connection) {}
