package io.quorate.badimpls.spring;

import io.quorate.core.step.Connection;

/** Knows the core. */
public record BadBean(Connection connection) {}
