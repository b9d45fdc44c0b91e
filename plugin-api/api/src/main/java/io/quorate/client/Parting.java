package io.quorate.client;

import io.quorate.LeaderLatchListener;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The rest of the work when a latch has been closed. A class, because a lambda would be linked while nobody leads. */
final class Parting implements CloseNotice {

    private final LatchState latch;
    private final boolean wantsToTell;
    private final @Nullable CurrentTenure heardOf;
    private final @Nullable Draining open;
    private @Nullable CompletableFuture<Void> returned;

    /**
     * Does nothing yet.
     *
     * @param wantsToTell whether the thread that closes the latch waits for its callbacks
     * @param heardOf     the tenure whose end the listeners hear of; null for none
     * @param open        the work that the leader has not finished; null for none
     */
    Parting(LatchState latch, boolean wantsToTell, @Nullable CurrentTenure heardOf, @Nullable Draining open) {
        this.latch = latch;
        this.wantsToTell = wantsToTell;
        this.heardOf = heardOf;
        this.open = open;
    }

    /** Ends the work. Not under the lock, because foreign code may wait for it. */
    void cut() {
        if (open != null) {
            open.cut();
        }
    }

    @Override
    public CompletableFuture<Void> tell() {
        if (returned == null) {
            returned = notifyClosed();
        }
        return returned;
    }

    @Override
    public boolean isInVain() {
        return latch.dispatcher.isExiting();
    }

    private CompletableFuture<Void> notifyClosed() {
        CompletableFuture<Void> awaited;
        latch.lock.lock();
        try {
            awaited = latch.told;
            if (heardOf != null) {
                latch.listeners.deliver("notLeader", LeaderLatchListener::notLeader);
            }
            latch.listeners.clear();
            latch.stages.closed(latch.neverLeads(), latch.callbacks.executor());
        } finally {
            latch.lock.unlock();
        }
        CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
        CompletableFuture<Void> settled = wantsToTell || heardOf != null ? latch.dispatcher.settled() : nothing;
        CompletableFuture<Void> ended = latch.callbacks.condition().end(latch.dispatcher::settled);
        if (!ended.isDone() && !latch.dispatcher.isRunningHere()) {
            settled = CompletableFuture.allOf(settled, ended);
        }
        if (awaited != null && !settled.isDone()) {
            settled.thenRun(() -> awaited.complete(null));
        } else if (awaited != null) {
            awaited.complete(null);
        }
        return wantsToTell ? settled : nothing;
    }
}
