package io.quorate.badimpls.cli;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadCommand(Connection connection) {}
