package io.quorate.badlayers.client;

import io.quorate.badlayers.runtime.BadRuntime;

/** Knows what is behind the seam. */
public record BadClient(BadRuntime behind) {}
