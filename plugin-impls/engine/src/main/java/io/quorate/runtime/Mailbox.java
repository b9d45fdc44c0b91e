package io.quorate.runtime;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The one thread of a node, and its queue: a real one ({@link NodeMailbox}), or one in virtual time. */
public interface Mailbox {

    /**
     * The most frames that wait; further ones are dropped, as by a network. Calls of the application are never dropped.
     */
    int FRAMES_MAX = 8_192;

    /** The most bytes of all frames that wait; further frames are dropped, because the heap has to hold them. */
    int BYTES_MAX = 8 << 20;

    /**
     * The number of waiting frames at which a transport should pause its reading. They are few milliseconds of work, so
     * that a peer that sends too much does not delay the frames of others: these wait in the transport, apart for each
     * peer.
     */
    int FRAMES_BEHIND = 256;

    /** The same in bytes: a long frame takes longer to read. */
    int BYTES_BEHIND = 1 << 20;

    /**
     * Starts the thread.
     *
     * @param firstTurn     done before everything that was posted
     * @param betweenTurns  called when the queue is empty; answers until when to wait, on the clock
     * @param afterTurns    called after one or more turns
     */
    void start(Runnable firstTurn, LongSupplier betweenTurns, Runnable afterTurns);

    /** Has something done on the thread. Answers false if it has stopped; then nothing is done. */
    boolean post(Runnable turn);

    /**
     * As {@link #post}, for a frame that has arrived, but dropped if too many wait.
     *
     * @param length of the frame, in bytes
     * @param first  a short turn, before what is left of the frames that arrived before
     * @param rest   a turn of its own, when its time comes: behind those frames, and behind {@code first}
     */
    void postFrame(int length, Runnable first, Runnable rest);

    /** Whether {@link #FRAMES_BEHIND} or {@link #BYTES_BEHIND} is reached. Any thread. */
    boolean isBehind();

    /** Asks something of the thread; empty if it has stopped, has not started, or does not answer in time. */
    <T> Optional<T> ask(Supplier<T> question);

    /**
     * Waits until it is done, at most so long. The thread takes its turns meanwhile; a caller on that thread does not
     * wait.
     */
    void await(CompletableFuture<?> done, long nanosMax);

    /**
     * Does what was posted, then {@code last}, and ends the thread; waits for that a bounded time. If the thread was
     * never started, {@code last} and what was posted is done on the caller's.
     */
    void stop(Runnable last);

    /** Frames that found too many others waiting. */
    long dropped();
}
