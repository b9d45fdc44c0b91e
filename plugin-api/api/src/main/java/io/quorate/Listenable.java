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
     * <p>A call that the executor rejects is logged and lost. If the executor accepts a call and never runs it, this
     * listener gets no further call, because its calls never overlap.
     *
     * @param listener compared by {@code equals}
     * @param executor may run a call on any thread, at any time
     * @throws NullPointerException if an argument is null
     */
    void addListener(T listener, Executor executor);

    /**
     * Removes a listener. Its calls that have not begun are dropped; one that has begun goes on.
     *
     * @param listener compared by {@code equals}; null and an unknown listener have no effect
     */
    void removeListener(T listener);
}
