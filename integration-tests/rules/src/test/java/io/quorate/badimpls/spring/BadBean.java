package io.quorate.badimpls.spring;

import io.quorate.engine.Connection;

/** Knows the core. */
public record BadBean(Connection connection) {}
