package io.quorate;

import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Those that wait for a latch to lead without a thread. Guarded by the latch's lock. */
final class LeadershipStages {

    private final Executor executor;
    // Hardly anybody waits, so hardly ever is there a list.
    private List<CompletableFuture<Long>> pending = List.of();

    /** @param executor where the stages are completed, and so where what follows on them runs */
    LeadershipStages(Executor executor) {
        this.executor = executor;
    }

    /** One more; it may be cancelled. */
    CompletionStage<Long> add() {
        CompletableFuture<Long> stage = new CompletableFuture<>();
        List<CompletableFuture<Long>> open = new ArrayList<>(pending);
        open.removeIf(CompletableFuture::isDone);
        open.add(stage);
        pending = open;
        return stage;
    }

    void led(long token) {
        complete(stage -> stage.complete(token));
    }

    void closed() {
        complete(stage -> stage.completeExceptionally(new EOFException()));
    }

    private void complete(Consumer<CompletableFuture<Long>> completion) {
        List<CompletableFuture<Long>> due = pending;
        pending = List.of();
        due.forEach(stage -> executor.execute(() -> completion.accept(stage)));
    }
}
