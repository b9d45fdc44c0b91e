package io.quorate.badlayers.core.support;

import io.quorate.badlayers.core.vote.BadVote;

/** Knows a layer of the core that is not below it. */
public record BadSupport(BadVote above) {}
