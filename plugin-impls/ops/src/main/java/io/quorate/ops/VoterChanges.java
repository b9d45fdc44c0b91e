package io.quorate.ops;

import io.quorate.Voters;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The requested changes of voters whose end no caller has heard yet. A change may take longer than a request: a
 * repeated request hears how the same change ends, and begins no other. The node refuses a second change at once while
 * one is under way, so these are few. Safe for any thread.
 */
final class VoterChanges {

    private final Duration kept;
    private final LongSupplier clock;
    /** By what was asked. */
    private final Map<String, Change> changes = new HashMap<>();

    /**
     * @param kept  for how long an end that nobody has heard of is kept
     * @param clock in nanoseconds
     */
    VoterChanges(Duration kept, LongSupplier clock) {
        this.kept = kept;
        this.clock = clock;
    }

    private static final class Change {
        private final CompletableFuture<Voters> outcome;
        private volatile long endedAt;

        private Change(CompletionStage<Voters> stage, LongSupplier clock) {
            outcome = stage.whenComplete((voters, failure) -> endedAt = clock.getAsLong())
                    .toCompletableFuture();
        }
    }

    /**
     * The outcome of this change, which begins unless it is under way or has ended lately.
     *
     * @param asked tells one change from another
     */
    synchronized CompletableFuture<Voters> of(String asked, Supplier<CompletionStage<Voters>> begin) {
        changes.values().removeIf(this::isOld);
        return changes.computeIfAbsent(asked, added -> new Change(begin.get(), clock)).outcome;
    }

    private boolean isOld(Change change) {
        return change.outcome.isDone() && clock.getAsLong() - change.endedAt >= kept.toNanos();
    }

    /** Somebody has heard of this end: the same request begins another change. */
    synchronized void told(CompletableFuture<Voters> outcome) {
        changes.values().removeIf(change -> change.outcome == outcome);
    }
}
