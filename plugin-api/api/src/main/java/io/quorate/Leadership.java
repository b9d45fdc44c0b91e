package io.quorate;

import java.time.Duration;

/**
 * What a leader knows of its leadership at one moment; {@link LeaderLatch#leadership} reads both from one tenure.
 *
 * @param fencingToken as {@link LeaderLatch#fencingToken} has it; at least 1
 * @param remaining    for how long this latch leads, counted from the moment of the question, unless its lease is
 *                     renewed, which happens with every heartbeat, or it gives leadership up before. More than zero, at
 *                     most the support duration; may be shorter than what is really left, never longer
 */
public record Leadership(long fencingToken, Duration remaining) {
}
