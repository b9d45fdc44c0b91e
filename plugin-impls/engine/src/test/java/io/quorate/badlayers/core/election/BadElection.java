package io.quorate.badlayers.core.election;

import io.quorate.badlayers.core.path.BadPath;

/** Knows a layer of the core that is not below it. */
public record BadElection(BadPath above) {}
