package io.quorate.ops;

import io.quorate.ElectionClient;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the misplaced paths of a client about once a second at most, because the node's thread counts them, and
 * anyone who reaches the port may ask at any rate. Thread-safe.
 */
final class Misplaced {

    /** A thread has a turn in each heartbeat period. */
    private static final Duration STUCK_AFTER = Duration.ofSeconds(2);

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ElectionClient client;
    private volatile @Nullable Counted last;

    private record Counted(long at, OptionalInt count) {}

    Misplaced(ElectionClient client) {
        this.client = client;
    }

    /** Empty for a client that does not run; a node whose thread is stuck is not asked, so that a status comes soon. */
    OptionalLong count() {
        if (client.getState() != ElectionClient.State.STARTED
                || client.turnAge().compareTo(STUCK_AFTER) > 0) {
            return OptionalLong.empty();
        }
        Counted known = last;
        if (known == null || System.nanoTime() - known.at >= KEPT_NANOS) {
            known = new Counted(System.nanoTime(), client.misplaced());
            last = known;
        }
        return known.count.isPresent() ? OptionalLong.of(known.count.getAsInt()) : OptionalLong.empty();
    }
}
