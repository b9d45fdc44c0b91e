package io.quorate.core.step;

/**
 * Is told what each contender of a node does, transition by transition: for tests, and for the search of a fault. It is
 * called on the node's thread, in the middle of a step, and must not call the node.
 */
@FunctionalInterface
public interface Trace {

    /** Nobody listens. */
    Trace NONE = (path, number, state, reason) -> {};

    /**
     * A contender's state has changed.
     *
     * @param path   what it contends for
     * @param number of the contender
     * @param state  the kind of state that it is in now
     * @param reason why, in a few words
     */
    void became(String path, long number, Class<?> state, String reason);
}
