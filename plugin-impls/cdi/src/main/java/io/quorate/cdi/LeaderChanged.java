package io.quorate.cdi;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Another participant is known to lead a path, this one included, or nobody. Each process that uses the path hears of
 * it, so it must not decide about an action that only the leader may take. The changes of a path come in order; they
 * are not ordered with {@link LeadershipGained} and {@link LeadershipLost}. Otherwise this comes as those do.
 *
 * @param path         as the application names it
 * @param leader       the id of the participant that leads; empty if no leader is known
 * @param fencingToken of that leadership, at least 1; empty if no leader is known
 */
public record LeaderChanged(String path, Optional<String> leader, OptionalLong fencingToken) {}
