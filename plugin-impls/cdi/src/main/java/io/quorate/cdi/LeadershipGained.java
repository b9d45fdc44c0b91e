package io.quorate.cdi;

/**
 * This process has begun to lead a path. Observed with {@code @Observes}, it comes on a daemon thread that may block,
 * outside of requests and transactions, and before the {@link LeadershipLost} of the same leadership. The lease may be
 * over by then, so a write carries the token. An observer that throws is logged, and stops neither leadership nor other
 * observers. It cannot rely on {@code EventMetadata}, which not each container has for it.
 *
 * @param path         as the application names it
 * @param fencingToken of this leadership; at least 1
 */
public record LeadershipGained(String path, long fencingToken) {}
