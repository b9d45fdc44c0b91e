package io.quorate.badimpls.fencing;

import io.quorate.LeaderLatch;

/** Knows the facade. */
public record BadGuard(LeaderLatch latch) {}
