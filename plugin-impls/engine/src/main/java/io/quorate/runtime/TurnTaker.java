package io.quorate.runtime;

/**
 * Takes the turns of a {@link NodeMailbox}: again and again, at once or after the pause that the turns ask for, and
 * whenever it is woken.
 */
interface TurnTaker {

    /** Answered by the turns, in place of a pause in nanoseconds, when there is nothing more to do. */
    long OVER = -1;

    /**
     * Begins.
     *
     * @throws Error if the system has no thread left; then it has not begun
     */
    void start();

    /** Turns are taken soon. Any thread; costs little while it is awake. */
    void wake();

    /** Whether the caller is on the thread that takes the turns. */
    boolean isCurrent();

    @FunctionalInterface
    interface Turns {
        /** Takes some; throws nothing. Answers for how long to pause, in nanoseconds, or {@link TurnTaker#OVER}. */
        long take();
    }
}
