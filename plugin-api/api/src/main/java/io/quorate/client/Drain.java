package io.quorate.client;

import io.quorate.Leadership;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The work that a leader finishes before a planned end of its tenure, and its time limit.
 *
 * @param work  begins to finish; foreign code, which may throw anything and answer null
 * @param bound more than zero, one day at most
 */
public record Drain(Function<? super Leadership, ? extends CompletionStage<?>> work, Duration bound) {

    private static final Duration BOUND_MAX = Duration.ofDays(1);

    /** @throws IllegalArgumentException if the bound is not legal */
    public Drain {
        if (bound.isNegative() || bound.isZero() || bound.compareTo(BOUND_MAX) > 0) {
            throw new IllegalArgumentException("drain bound " + bound + ": must be more than zero and at most one day");
        }
    }
}
