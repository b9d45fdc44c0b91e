package io.quorate.badimpls.camel;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadView(Connection connection) {}
