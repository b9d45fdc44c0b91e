package io.quorate.badlayers.jvm;

import io.quorate.badlayers.BadFacade;

/** Knows what is above it. */
public record BadJvm(BadFacade facade) {}
