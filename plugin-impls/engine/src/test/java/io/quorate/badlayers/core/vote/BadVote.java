package io.quorate.badlayers.core.vote;

import io.quorate.badlayers.core.directory.BadDirectory;

/** Knows a layer of the core that is not below it. */
public record BadVote(BadDirectory above) {}
