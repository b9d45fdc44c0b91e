package io.quorate.badlayers.settings;

import io.quorate.badlayers.BadFacade;

/** Knows what is above it. */
public record BadSettings(BadFacade facade) {}
