package io.quorate.client;

import io.quorate.engine.Engine;
import io.quorate.jvm.BoundedWait;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * How a latch's callbacks are run.
 *
 * @param executor runs the callbacks of listeners that have no executor of their own
 * @param limit    the longest wait for callbacks: for {@code notLeader} before the latch contends again and before
 *                 {@code close} returns, for {@code isLeader} before {@code await} returns
 * @param drainTimeout how long a leader may finish its work before a planned end, where it does not say so itself; 0 for
 *                 not at all
 * @param monitors hear how long each callback takes
 * @param condition     decides beside the engine whether the latch may contend and lead
 */
public record LatchCallbacks(
        Executor executor, Duration limit, Duration drainTimeout, ClientMonitors monitors, LeadCondition condition) {

    /**
     * The longest wait for callbacks. For so long {@code notLeader} may keep a contender out of the queue, and
     * callbacks may hold up {@code close} and {@code await}. Too short: a node leads again while it still cleans up.
     * Too long: a latch whose callback hangs does not contend.
     */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * How often a waiting thread looks whether a listener ends the JVM. If it is too long, the JVM ends later; if it is
     * too short, the thread looks at the stacks of listeners often.
     */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The callbacks of a latch without a client. */
    public LatchCallbacks(Executor executor, Duration limit) {
        this(executor, limit, Duration.ZERO, ClientMonitors.none(), LeadCondition.NONE);
    }

    /** The callbacks of the latches of a client, which make way for tandems and shadows if it moves. */
    public static LatchCallbacks ofClient(
            Executor executor, Duration drainTimeout, ClientMonitors monitors, boolean moves) {
        return new LatchCallbacks(
                executor, LIMIT, drainTimeout, monitors, moves ? GuardedCandidacy.CONDITION : LeadCondition.NONE);
    }

    /** The same under this condition. */
    public LatchCallbacks under(LeadCondition other) {
        return new LatchCallbacks(executor, limit, drainTimeout, monitors, other);
    }

    /**
     * Waits for the callbacks of latches to return, up to the limit. An interrupt does not end the wait, because a
     * thread that was interrupted relies on it as well when it closes a latch. The thread keeps its flag. While the JVM
     * ends, latches whose listener is inside {@link Runtime#exit} are not waited for.
     *
     * @param isInVain whether none but those are missing, which is asked now and then
     * @return whether they have returned, except those
     */
    public boolean haveReturned(Engine engine, CompletableFuture<Void> returned, BooleanSupplier isInVain) {
        return isOver(engine, returned, limit.toNanos(), isInVain);
    }

    /** Waits until the work of leaders is finished, which its bounds see to; an interrupt does not end the wait. */
    public static void awaitWork(Engine engine, CompletableFuture<Void> finished) {
        if (!finished.isDone()) {
            isOver(engine, finished, Long.MAX_VALUE, () -> false);
        }
    }

    /** Waits until it is completed, as {@link #haveReturned} does, for so long, or until that is in vain. */
    private static boolean isOver(
            Engine engine, CompletableFuture<Void> awaited, long nanosMax, BooleanSupplier isInVain) {
        return BoundedWait.isOver(nanosMax, nanos -> {
            long left = engine.letTimePass(nanos, awaited::isDone);
            // Negative: the simulated process is dead, so nothing will complete it.
            boolean isOver = left < 0;
            while (!isOver && left > 0) {
                long part = Math.min(left, LOOK_NANOS);
                isOver = BoundedWait.isOver(part, awaited) || isInVain.getAsBoolean();
                left -= part;
            }
            return isOver || awaited.isDone();
        });
    }
}
