package io.quorate.badlayers.core.step;

import io.quorate.badlayers.core.support.BadSupport;

/** Knows a layer of the core that is not below it. */
public record BadStep(BadSupport above) {}
