package io.quorate.ops;

import io.quorate.Voters;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The change of voters that was asked for last. It may take longer than a request: whoever repeats the request hears how
 * the same change ends, and begins no other. Safe for any thread.
 */
final class VoterChanges {

    private final Duration kept;
    private final LongSupplier clock;
    private @Nullable Change last;

    /**
     * @param kept  for how long an end that nobody has heard of is kept
     * @param clock in nanoseconds
     */
    VoterChanges(Duration kept, LongSupplier clock) {
        this.kept = kept;
        this.clock = clock;
    }

    /** One change, and when it ended. */
    private static final class Change {
        private final String asked;
        private final CompletableFuture<Voters> outcome;
        private volatile long endedAt;

        private Change(String asked, CompletionStage<Voters> stage, LongSupplier clock) {
            this.asked = asked;
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
        Change found = last;
        if (found == null || !found.asked.equals(asked) || isOld(found)) {
            found = new Change(asked, begin.get(), clock);
            last = found;
        }
        return found.outcome;
    }

    private boolean isOld(Change change) {
        return change.outcome.isDone() && clock.getAsLong() - change.endedAt >= kept.toNanos();
    }

    /** Somebody has heard of this end: the same request begins another change. */
    synchronized void told(CompletableFuture<Voters> outcome) {
        if (last != null && last.outcome == outcome) {
            last = null;
        }
    }
}
