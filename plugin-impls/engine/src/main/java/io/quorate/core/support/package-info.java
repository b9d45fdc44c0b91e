/**
 * Layer 1, between a node and a voter, for all paths at once: {@link io.quorate.core.support.SupportGiven} is the
 * voter's half, {@link io.quorate.core.support.SupportHeld} the node's. What follows from heartbeats is here too: who
 * is up, how this node stands with the voters, and who is configured differently.
 */
package io.quorate.core.support;
