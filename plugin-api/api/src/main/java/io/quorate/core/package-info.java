/**
 * The deterministic core: support, ballots, roster and contested paths of one {@link io.quorate.core.Node}. It has no
 * thread, clock, randomness or I/O; events go in, effects come out.
 *
 * <p>The algorithm decides who <em>should</em> lead ({@link io.quorate.core.ElectionRun}); the quorum lease decides who
 * <em>may</em> ({@link io.quorate.core.Support}, {@link io.quorate.core.Belief}, {@link io.quorate.core.Ballot},
 * {@link io.quorate.core.Claims}).
 *
 * <p>Reading order: {@link io.quorate.core.NodeMessage} (all messages), {@link io.quorate.core.Node}, then from the
 * bottom up {@link io.quorate.core.Support} and {@link io.quorate.core.Belief}, {@link io.quorate.core.Ballot} and
 * {@link io.quorate.core.Candidate}, {@link io.quorate.core.Contest}, {@link io.quorate.core.Claims},
 * {@link io.quorate.core.Succession}. No file knows one that knows it.
 */
package io.quorate.core;
