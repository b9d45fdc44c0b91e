/**
 * Layer 1, between a node and a voter, for all paths at once: {@link io.quorate.core.support.SupportGiven} is the
 * voter's half, {@link io.quorate.core.support.SupportHeld} the node's. So are the consequences of heartbeats: the
 * nodes that are up, this node's connection to the voters, and differing configurations.
 */
package io.quorate.core.support;
