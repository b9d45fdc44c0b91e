package io.quorate;

import java.util.concurrent.CompletableFuture;

/**
 * What is left to do when something is closed and its hand-over is on its way: to tell whoever is to be told. A
 * separate step, because telling may need a thread, and the successor must not wait for that.
 */
@FunctionalInterface
interface Farewell {

    /** There is nobody to tell. */
    Farewell NONE = () -> CompletableFuture.completedFuture(null);

    /**
     * Tells them; called once. The answer completes when those callbacks have returned that whoever closes waits for.
     */
    CompletableFuture<Void> tell();
}
