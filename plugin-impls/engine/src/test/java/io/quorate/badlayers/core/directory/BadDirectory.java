package io.quorate.badlayers.core.directory;

import io.quorate.badlayers.core.vote.BadVote;

/** Knows a layer of the core that is not below it. */
public record BadDirectory(BadVote above) {}
