package io.quorate.badlayers.runtime;

import io.quorate.badlayers.BadFacade;

/** Knows the layer above. */
public record BadRuntime(BadFacade above) {}
