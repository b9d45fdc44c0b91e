/**
 * The deterministic core: one {@link io.quorate.core.Node} ties together support, votes, the directory of contenders
 * and the contended paths. It has no thread, clock, randomness or I/O; events go in, effects come out.
 *
 * <p>The algorithm decides who <em>should</em> lead ({@code io.quorate.core.election}); the quorum lease decides
 * who <em>may</em> ({@code io.quorate.core.support}, {@code io.quorate.core.vote}).
 *
 * <p>Its packages know each other in one direction: {@code settings} and {@code message}, {@code step},
 * {@code support}, then {@code vote}, {@code directory} and {@code election}, which do not know each other, {@code
 * path}, and this one. No file knows one that knows it. Reading order: {@link io.quorate.core.message.NodeMessage} (all messages),
 * {@link io.quorate.core.Node}, then the packages from the bottom up.
 */
package io.quorate.core;
