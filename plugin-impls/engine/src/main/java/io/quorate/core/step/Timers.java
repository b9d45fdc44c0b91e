package io.quorate.core.step;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The pending timers of one node. Timers that are due at one instant run in the order in which they were set. */
public final class Timers {

    /** From any instant so far away that it never comes, and so near that the two can be compared by difference. */
    public static final long NEVER = Long.MAX_VALUE >> 2;

    /** One pending timer. */
    public final class Handle {
        private final long deadline;
        private final long order;
        /** Null once it has run, or was cancelled. */
        private @Nullable Runnable action;

        private Handle(long deadline, long order, Runnable action) {
            this.deadline = deadline;
            this.order = order;
            this.action = action;
        }

        /** When it runs, on the node's own clock. */
        public long deadline() {
            return deadline;
        }

        /** After this the action does not run. No effect on one that has run. */
        public void cancel() {
            if (action != null) {
                action = null;
                cancelled++;
                compact();
            }
        }
    }

    private PriorityQueue<Handle> queue = newQueue(16);
    private long nextOrder;
    private int cancelled;

    /** Runs {@code action} in the first step at or after {@code deadline}. */
    public Handle set(long deadline, Runnable action) {
        Handle handle = new Handle(deadline, nextOrder++, action);
        queue.add(handle);
        return handle;
    }

    /** As {@link #set}, in place of the former timer, if there is one. */
    public Handle replace(@Nullable Handle former, long deadline, Runnable action) {
        if (former != null) {
            former.cancel();
        }
        return set(deadline, action);
    }

    /**
     * Runs what is due at {@code now}; what an action sets for now or earlier runs too. Answers whether that was any.
     */
    public boolean run(long now) {
        boolean isAny = false;
        for (Handle next = queue.peek(); next != null && next.deadline - now <= 0; next = queue.peek()) {
            queue.remove();
            Runnable action = next.action;
            if (action == null) {
                cancelled--;
            } else {
                next.action = null;
                action.run();
                isAny = true;
            }
        }
        return isAny;
    }

    /** The earliest deadline, or {@code otherwise} if none is pending. */
    public long next(long otherwise) {
        while (queue.peek() != null && queue.peek().action == null) {
            queue.remove();
            cancelled--;
        }
        return queue.peek() == null ? otherwise : queue.peek().deadline;
    }

    /** Including cancelled ones that still take room. */
    int queueLength() {
        return queue.size();
    }

    /** How many are pending. */
    public int size() {
        return queue.size() - cancelled;
    }

    /** Keeps the queue at most twice as long as the pending timers: cancelled ones may lie far in the future. */
    private void compact() {
        if (cancelled > 64 && cancelled > queue.size() / 2) {
            PriorityQueue<Handle> kept = newQueue(queue.size() - cancelled);
            for (Handle handle : queue) {
                if (handle.action != null) {
                    kept.add(handle);
                }
            }
            queue = kept;
            cancelled = 0;
        }
    }

    private static PriorityQueue<Handle> newQueue(int capacity) {
        return new PriorityQueue<>(Math.max(1, capacity), (a, b) -> {
            // By difference: elapsed time may wrap.
            int byDeadline = Long.signum(a.deadline - b.deadline);
            return byDeadline != 0 ? byDeadline : Long.compare(a.order, b.order);
        });
    }
}
