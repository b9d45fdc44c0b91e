package io.quorate.badlayers.engine;

import io.quorate.badlayers.core.path.BadPath;

/** Knows what is behind it. */
public record BadEngine(BadPath behind) {}
