package io.quorate.badlayers.spi;

import io.quorate.badlayers.core.BadCore;

/** Knows the layer above. */
public record BadSpi(BadCore above) {}
