package io.quorate.badlayers.core.message;

import io.quorate.badlayers.core.step.BadStep;

/** Knows a layer of the core that is not below it. */
public record BadMessage(BadStep above) {}
