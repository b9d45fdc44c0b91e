package io.quorate.cli;

import io.quorate.cli.Nodes.Said;
import io.quorate.cli.RebalancePlan.Move;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries moves out, some side by side, and stops between two of them. Thread-safe. */
final class Moves {

    private final Handover handover;
    private final ChangeOptions change;
    private final Consumer<Ended> listener;
    // Both are guarded by this.
    private final Queue<Move> waiting;
    private @Nullable String stop;

    /** How a move has ended. */
    enum End {
        /** The successor leads. */
        MOVED,
        /** Somebody else leads the path than when it was planned. */
        LEFT_ALONE,
        /** The successor does not lead. */
        FAILED
    }

    /**
     * A move that has ended.
     *
     * @param token  of the successor, if it leads
     * @param reason why it does not lead; empty if it does
     */
    record Ended(Move move, End end, Optional<Long> token, String reason) {}

    /** @param listener told of each move as it ends, by one thread at a time */
    Moves(Handover handover, ChangeOptions change, Collection<Move> moves, Consumer<Ended> listener) {
        this.handover = handover;
        this.change = change;
        this.waiting = new ArrayDeque<>(moves);
        this.listener = listener;
    }

    /** No further move begins. */
    synchronized void stop(String reason) {
        stop = stop == null ? reason : stop;
    }

    /**
     * Carries them out.
     *
     * @param parallel how many at one time
     * @return the moves that were not begun
     */
    List<Move> run(int parallel) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(parallel);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < parallel; i++) {
                all.add(threads.submit(() -> {
                    for (Optional<Move> next = next(); next.isPresent(); next = next()) {
                        tell(carryOut(next.get()));
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a move has broken", e.getCause());
        } finally {
            threads.shutdownNow();
        }
        synchronized (this) {
            return List.copyOf(waiting);
        }
    }

    /** Why not all were begun; empty if they were, or nobody has stopped it. */
    synchronized Optional<String> whyStopped() {
        return Optional.ofNullable(stop);
    }

    private synchronized Optional<Move> next() {
        return stop == null ? Optional.ofNullable(waiting.poll()) : Optional.empty();
    }

    private synchronized void tell(Ended ended) {
        listener.accept(ended);
    }

    private Ended carryOut(Move move) throws InterruptedException {
        String path = move.led().path();
        try {
            Said<LeaderAnswer> leader = handover.leader(path);
            if (LeaderAnswer.tokenOf(leader) != move.led().token()) {
                return new Ended(move, End.LEFT_ALONE, Optional.empty(), "its leader has changed meanwhile");
            }
            change.requireFit(leader.url());
            try {
                LeaderAnswer now = handover.to(leader.url(), path, move.to().id(), () -> {});
                return new Ended(move, End.MOVED, now.token(), "");
            } catch (NoAnswer e) {
                // It would be so with each path of that node.
                String reason = leader.url() + ": " + e.reason();
                stop(reason);
                return new Ended(move, End.FAILED, Optional.empty(), reason);
            }
        } catch (CommandFailed e) {
            String reason = String.valueOf(e.getMessage());
            if (e.exitCode() == Exit.USAGE) {
                stop(reason);
            }
            return new Ended(move, End.FAILED, Optional.empty(), reason);
        }
    }
}
