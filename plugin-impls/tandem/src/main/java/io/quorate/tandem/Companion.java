package io.quorate.tandem;

import java.util.Collection;
import java.util.List;

/**
 * The election that an application leads by today, beside Quorate for as long as it moves: a latch of Curator, a lock
 * in a database, a lease of Kubernetes. {@link TandemLatch} uses it, and docs/migration.md has three of them.
 *
 * <p>It must be exclusive among all processes that use it, as it was before. Its exceptions are logged. A {@code
 * hasLeadership} that throws counts as false, and a {@code start} that throws is tried again later. Calls of {@link
 * #start} and {@link #close} come one at a time, in turns, on a daemon thread of the library, and may block.
 */
public interface Companion {

    /**
     * Begins to contend on the old side. Called first, and again after each {@link #close}: a latch that can be started
     * once is made here.
     *
     * @throws Exception anything; {@link #close} is called then, and this again after a while
     */
    void start() throws Exception;

    /**
     * Gives leadership up and leaves the old side. When this has returned, another process may lead there.
     *
     * @throws Exception anything; it is logged
     */
    void close() throws Exception;

    /**
     * Answers whether this process leads on the old side at the moment of the call. It is asked with each question of
     * the application, on any thread, so it must not block.
     *
     * @return true if it leads
     */
    boolean hasLeadership();

    /**
     * Takes what is to be called after each change of {@link #hasLeadership}, in both directions. Called once, before
     * the first {@link #start}.
     *
     * @param changed returns at once, and may be called on any thread, also without need
     */
    void onChange(Runnable changed);

    /**
     * Answers who contends on the old side, by the ids that they have there. A tandem warns of an id that no tandem or
     * shadow of its path has: such a process leads by the old side alone, and must not run beside Quorate alone. So a
     * process has the same id on both sides. Asked every 25 heartbeats, on a thread of its own; may block.
     *
     * @return empty by default, if that cannot be told
     * @throws Exception anything; it is logged
     */
    default Collection<String> participants() throws Exception {
        return List.of();
    }
}
