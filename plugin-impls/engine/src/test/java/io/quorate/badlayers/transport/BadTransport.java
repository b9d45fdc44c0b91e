package io.quorate.badlayers.transport;

import io.quorate.badlayers.BadFacade;

/** Knows what is above it. */
public record BadTransport(BadFacade facade) {}
