package io.quorate.client;

import java.util.concurrent.CompletableFuture;

/**
 * The last step of closing, after the hand-over has been sent: it tells the listeners. It is a separate step because it
 * may need a thread, and the successor must not wait for that.
 */
@FunctionalInterface
public interface CloseNotice {

    /** Tells nobody. */
    CloseNotice NONE = () -> CompletableFuture.completedFuture(null);

    /**
     * Tells the listeners, at the first call. The answer completes when the callbacks have returned for which closing
     * waits.
     */
    CompletableFuture<Void> tell();

    /** Whether the callbacks cannot return, because one of them ends the JVM and waits for who asks. */
    default boolean isInVain() {
        return false;
    }
}
