package io.quorate.client;

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

/** The waits for a latch to lead, of threads and of stages. Guarded by the latch's lock. */
final class LeadershipStages {

    /** For a latch for which nobody has waited. It tells nobody, and nobody may be added. */
    static final LeadershipStages NONE = new LeadershipStages(stage -> {});

    private final Executor executor;
    private Optional<Condition> changed = Optional.empty();
    // There is hardly ever a list, because hardly any latch is waited for.
    private List<CompletableFuture<Long>> pending = List.of();

    /** @param executor completes the stages, and so runs the stages that depend on them */
    private LeadershipStages(Executor executor) {
        this.executor = executor;
    }

    /** These, or others to which waits may be added. */
    LeadershipStages orNew(Executor whereCompleted) {
        return this == NONE ? new LeadershipStages(whereCompleted) : this;
    }

    /** The condition for a thread that holds the latch's lock; signalled when the latch is announced or closed. */
    Condition changed(Lock lock) {
        Condition known = changed.orElseGet(lock::newCondition);
        changed = Optional.of(known);
        return known;
    }

    /** Adds a stage, which its owner may cancel. */
    CompletionStage<Long> add() {
        CompletableFuture<Long> stage = new CompletableFuture<>();
        List<CompletableFuture<Long>> open = new ArrayList<>(pending);
        open.removeIf(CompletableFuture::isDone);
        open.add(stage);
        pending = open;
        return stage;
    }

    /** Whether anybody has ever waited. */
    boolean isAwaited() {
        return this != NONE;
    }

    /** Lets the threads look again. The stages hear of it by {@link #led} or {@link #closed}. */
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
