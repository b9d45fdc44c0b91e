package io.quorate.cdi;

/**
 * This process has ceased to lead a path, for whatever reason; also when the application stops. It comes as {@link
 * LeadershipGained} does, and after it.
 *
 * @param path as the application names it
 */
public record LeadershipLost(String path) {}
