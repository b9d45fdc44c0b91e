package io.quorate.core.path;

import java.util.OptionalLong;

/**
 * A part of the paths that this node leads, and how many of them another contender should lead by rank.
 *
 * @param count how many of them
 * @param rest  after which contender the rest begins; empty if this was all
 */
public record Misplaced(int count, OptionalLong rest) {}
