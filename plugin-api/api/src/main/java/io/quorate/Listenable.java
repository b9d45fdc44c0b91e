package io.quorate;

import java.util.concurrent.Executor;

/**
 * Something that listeners can be added to. All methods may be called from any thread and return at once. A change
 * applies to the events after it.
 *
 * @param <T> the type of the listeners
 */
public interface Listenable<T> {

    /**
     * Adds a listener that is called on a callback thread of this library, after those that were added before it. If an
     * equal one is there already, that one keeps its place and is called on such a thread from now on.
     *
     * @param listener compared by {@code equals}
     * @throws NullPointerException if {@code listener} is null
     */
    void addListener(T listener);

    /**
     * Adds a listener that is called on the given executor, one call at a time. If an equal one is there already, only
     * its executor is replaced.
     *
     * <p>Each call is handed to the executor at once, as a task of its own, so that a shutdown of the executor after
     * that loses none. Calls never overlap: a task that comes while the listener is being called returns at once, and
     * the thread that calls it makes this call too. A call that the executor rejects is logged and lost. If the
     * executor accepts a task and never runs it, its call waits for the next task, or for the next executor that this
     * listener is given.
     *
     * <p>At most 1,000 calls wait for an executor, or for a listener that does not return; then the oldest is lost, and
     * the log says so once. There is one per change. A latch has few, because it contends again when {@code notLeader}
     * has returned, or after 30 s.
     *
     * @param listener compared by {@code equals}
     * @param executor may run a call on any thread, at any time
     * @throws NullPointerException if an argument is null
     */
    void addListener(T listener, Executor executor);

    /**
     * Removes a listener. Its calls that have not begun are dropped; one that has begun goes on, also beside the calls
     * of an equal listener that is added meanwhile, be it in that call.
     *
     * @param listener compared by {@code equals}; null and an unknown listener have no effect
     */
    void removeListener(T listener);
}
