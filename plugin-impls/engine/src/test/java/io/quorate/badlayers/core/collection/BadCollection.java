package io.quorate.badlayers.core.collection;

import io.quorate.badlayers.core.settings.BadSettings;

/** Knows a layer of the core that is not below it. */
public record BadCollection(BadSettings above) {}
