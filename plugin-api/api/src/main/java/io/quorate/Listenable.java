package io.quorate;

import java.util.concurrent.Executor;

/**
 * Something that listeners can be added to. Safe for any thread; a change applies to events after it.
 *
 * @param <T> the type of the listeners
 */
public interface Listenable<T> {

    /**
     * Adds a listener that is called on a callback thread of this library. If an equal one is there already, it is kept
     * in its place and is from now on called on that thread.
     *
     * @throws NullPointerException if {@code listener} is null
     */
    void addListener(T listener);

    /**
     * Adds a listener that is called on the given executor, one call at a time. If an equal one is there already, only
     * its executor is replaced.
     *
     * <p>A call that the executor rejects is logged and lost. An executor that accepts a call and never runs it gets no
     * further call of this listener, because calls never overlap.
     *
     * @throws NullPointerException if an argument is null
     */
    void addListener(T listener, Executor executor);

    /** Removes a listener; calls that have not begun are dropped. No effect for null or an unknown listener. */
    void removeListener(T listener);
}
