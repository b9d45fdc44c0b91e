package io.quorate;

import java.io.EOFException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/** Those that wait for a latch to lead, as threads or without one. Guarded by the latch's lock. */
final class LeadershipStages {

    /** Of a latch for which nobody has waited: there is nobody to tell, and nobody may be added. */
    static final LeadershipStages NONE = new LeadershipStages(stage -> { });

    private final Executor executor;
    private Optional<Condition> changed = Optional.empty();
    // Hardly anybody waits, so hardly ever is there a list.
    private List<CompletableFuture<Long>> pending = List.of();

    /** @param executor where the stages are completed, and so where what follows on them runs */
    private LeadershipStages(Executor executor) {
        this.executor = executor;
    }

    /** These, or others to which somebody may be added. */
    LeadershipStages orNew(Executor whereCompleted) {
        return this == NONE ? new LeadershipStages(whereCompleted) : this;
    }

    /** What a thread waits on that holds the latch's lock; woken when the latch leads, as all know, or is closed. */
    Condition changed(Lock lock) {
        Condition known = changed.orElseGet(lock::newCondition);
        changed = Optional.of(known);
        return known;
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

    /** Whether anybody may wait. */
    boolean isAwaited() {
        return this != NONE;
    }

    /** The threads look again; whoever has no thread is told by {@link #led} or {@link #closed}. */
    void wake() {
        changed.ifPresent(Condition::signalAll);
    }

    void led(long token) {
        complete(stage -> stage.complete(token));
    }

    void closed(EOFException reason) {
        complete(stage -> stage.completeExceptionally(reason));
    }

    private void complete(Consumer<CompletableFuture<Long>> completion) {
        if (this == NONE) {
            return;
        }
        wake();
        List<CompletableFuture<Long>> due = pending;
        pending = List.of();
        due.forEach(stage -> executor.execute(() -> completion.accept(stage)));
    }
}
