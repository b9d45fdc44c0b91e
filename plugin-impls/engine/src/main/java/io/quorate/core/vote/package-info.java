/**
 * Layer 2, on one path: {@link io.quorate.core.vote.Ballot} is the voter's half, {@link io.quorate.core.vote.Candidate}
 * the contender's. The halves do not know each other, and neither knows who else contends.
 */
package io.quorate.core.vote;
