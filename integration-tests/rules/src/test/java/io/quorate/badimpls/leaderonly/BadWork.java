package io.quorate.badimpls.leaderonly;

import io.quorate.LeaderLatch;

/** Knows the facade. */
public record BadWork(LeaderLatch latch) {}
