package io.quorate.badimpls.cli;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadCommand(Connection connection) {}
