package io.quorate.client;

import java.io.EOFException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The waits for a latch to lead, of threads and of stages. Guarded by the latch's lock. An executor completes the stages,
 * and so runs the stages that depend on them.
 */
final class LeadershipStages {

    /** For a latch for which nobody has waited. It tells nobody, and nobody may be added. */
    static final LeadershipStages NONE = new LeadershipStages();

    private Optional<Condition> changed = Optional.empty();
    // There is hardly ever a list, because hardly any latch is waited for.
    private List<CompletableFuture<Long>> pending = List.of();

    private LeadershipStages() {}

    /** These, or others to which waits may be added. */
    LeadershipStages orNew() {
        return this == NONE ? new LeadershipStages() : this;
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
        if (changed.isPresent()) {
            changed.get().signalAll();
        }
    }

    // Where the executor throws, the stages that are left stay here. A lambda is linked only if a stage waits.

    void led(long token, Executor executor) {
        wake();
        for (Iterator<CompletableFuture<Long>> each = pending.iterator(); each.hasNext(); each.remove()) {
            CompletableFuture<Long> stage = each.next();
            executor.execute(() -> stage.complete(token));
        }
    }

    void closed(EOFException reason, Executor executor) {
        wake();
        for (Iterator<CompletableFuture<Long>> each = pending.iterator(); each.hasNext(); each.remove()) {
            CompletableFuture<Long> stage = each.next();
            executor.execute(() -> stage.completeExceptionally(reason));
        }
    }
}
