package io.quorate.badimpls.camel;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadView(Connection connection) {}
