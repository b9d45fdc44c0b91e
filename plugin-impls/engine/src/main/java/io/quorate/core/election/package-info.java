/**
 * Drives the algorithm. All paths with the same contenders in the same order of rank share one election while they need
 * a nominee. From the bottom up: {@link io.quorate.core.election.ElectionAttempt},
 * {@link io.quorate.core.election.Elections}, {@link io.quorate.core.election.PathNomination}.
 */
package io.quorate.core.election;
