package io.quorate.client;

import io.quorate.Stage;
import io.quorate.engine.Engine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A second condition, besides the engine's, for a latch to contend and lead. */
public interface LeadCondition {

    /** Nothing does. */
    LeadCondition NONE = (engine, path, id, listener, executor) -> engine.contend(path, id, listener);

    /**
     * As {@link Engine#contend}, while it is met.
     *
     * @param executor runs what must not hold up the engine's thread
     */
    Engine.Candidacy contend(
            Engine engine, String path, String id, Engine.ContenderListener listener, Executor executor);

    /** Whether a leader may lead at this moment; what is once answered with false has ended. Asked on any thread. */
    default boolean isMet() {
        return true;
    }

    /** The leader has given leadership up to the next. */
    default void resigned() {}

    /** Whether it lets lead without the node: before that runs, and when it has failed. */
    default boolean needsNoNode() {
        return false;
    }

    /** The node runs, and the latch contends or has ended. Called once, and never if the node does not start. */
    default void nodeRuns(Engine engine, String path) {}

    /**
     * The latch is closed, and has left its path. Called once, also if it has not contended.
     *
     * @param settled completed when the callbacks that are queued have returned, unless one of them asks
     * @return completed when nothing is left of what lets it lead
     */
    default CompletableFuture<Void> end(Supplier<CompletableFuture<Void>> settled) {
        return CompletableFuture.completedFuture(null);
    }

    /** How far what stands behind it has moved to Quorate; empty if it does not move. */
    default Optional<Stage> stage() {
        return Optional.empty();
    }
}
