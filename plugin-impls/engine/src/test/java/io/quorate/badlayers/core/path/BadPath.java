package io.quorate.badlayers.core.path;

import io.quorate.badlayers.core.BadCore;

/** Knows a layer of the core that is not below it. */
public record BadPath(BadCore above) {}
