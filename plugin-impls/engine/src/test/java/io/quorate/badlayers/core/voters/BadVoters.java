package io.quorate.badlayers.core.voters;

import io.quorate.badlayers.core.message.BadMessage;

/** Knows a layer of the core that is not below it. */
public record BadVoters(BadMessage above) {}
