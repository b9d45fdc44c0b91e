package io.quorate.client;

import io.quorate.ConnectionState;
import io.quorate.Stage;
import io.quorate.engine.Engine;
import io.quorate.spi.Problem;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A latch, an attempt of a selector, or an observer: a part of a client that uses one path. */
public interface PathUser {

    /** Relative to the client's namespace. */
    String path();

    /** The token with which it leads at this moment, if it does. */
    default OptionalLong token() {
        return OptionalLong.empty();
    }

    /** Why it leads at this moment and leaves when its work is finished; empty if it does not. */
    default Optional<String> leaving() {
        return Optional.empty();
    }

    /** Returns the problem of the leadership that it has at this moment; empty if there is none. */
    default Optional<Problem> problem() {
        return Optional.empty();
    }

    /** How far it has moved to Quorate; empty if its client does not move. */
    default Optional<Stage> stage() {
        return Optional.empty();
    }

    /** Itself as a contender; empty if it only observes, for which the node must watch the path. */
    Optional<PathContender> contender();

    /** Whether it was closed by the application. */
    boolean isClosed();

    /** Whether it leads without the node too: before that runs, and when it has failed. */
    default boolean needsNoNode() {
        return false;
    }

    /** Begins what {@linkplain #needsNoNode needs no node}, if there is anything; the client may never run. */
    default void begin(Engine engine, String pathInCluster) {}

    /** The client runs; called once. */
    void join(Engine engine, String pathInCluster);

    /** Takes no part any more. */
    void leave();

    /** Finishes its work, because the client is to be closed; completes when that may go on. */
    default CompletableFuture<Void> finishWork() {
        return CompletableFuture.completedFuture(null);
    }

    /** The client is closed, and its engine closes next. Answers the step that follows after that. */
    CloseNotice closeWithClient();

    /**
     * Takes note of a connection state; called on the engine's thread, in order.
     *
     * @param endsLeadership whether a tenure ends with it, at once
     */
    void connectionChanged(ConnectionState connection, boolean endsLeadership);
}
