package io.quorate.runtime;

import io.quorate.core.message.ContenderId;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** The transfers of leadership whose successor does not lead yet. */
final class Transfers {

    /** The successor is not known before the node has agreed. */
    private static final class Transfer {
        private final long number;
        private final String path;
        private final CompletableFuture<Void> done;
        private Optional<ContenderId> successor = Optional.empty();
        /** The one with which the contender leads that transfers. */
        private long token;

        private Transfer(long number, String path, CompletableFuture<Void> done) {
            this.number = number;
            this.path = path;
            this.done = done;
        }
    }

    private final Turns turns;

    // Confined to the driver's thread. The latest comes last.
    private final List<Transfer> transfers = new ArrayList<>();

    Transfers(Turns turns) {
        this.turns = turns;
    }

    /** As {@link Engine.Candidacy#transferTo}; called by the application. */
    CompletionStage<Void> request(long number, String path, String participantId) {
        return turns.ask(done -> {
            // These callers have given up.
            transfers.removeIf(transfer -> transfer.done.isDone());
            transfers.add(new Transfer(number, path, done));
            turns.node().accept(new NodeEvent.TransferTo(number, participantId));
        });
    }

    void onBegun(NodeEffect.TransferBegun begun) {
        latest(begun.number()).ifPresent(transfer -> {
            transfer.successor = Optional.of(begun.successor());
            transfer.token = begun.token();
        });
    }

    /** @param successor all transfers to this one are over; empty if those that have not begun are */
    void onRefused(long number, Optional<ContenderId> successor, RuntimeException cause) {
        fail(transfer -> transfer.number == number && transfer.successor.equals(successor), path -> cause);
    }

    /** Empty if the caller was told of an end meanwhile. */
    private Optional<Transfer> latest(long number) {
        return transfers.stream().filter(transfer -> transfer.number == number).reduce((earlier, later) -> later);
    }

    /** The contender has left for good, so its node no longer follows its transfer. */
    void onLeft(long number) {
        if (transfers.isEmpty()) {
            // Lambdas would be linked in each first hand-over.
            return;
        }
        fail(
                transfer -> transfer.number == number,
                path -> new IllegalStateException("leadership of " + path + " was being transferred, and the contender"
                        + " was closed before the successor was seen to lead"));
    }

    boolean isEmpty() {
        return transfers.isEmpty();
    }

    void onChanged(String path, PathView view) {
        view.leader().ifPresent(leader -> {
            long token = view.token().orElse(0);
            take(transfer -> transfer.path.equals(path) && isTo(leader, transfer))
                    .forEach(transfer -> transfer.done.complete(null));
            fail(
                    transfer -> transfer.path.equals(path) && transfer.successor.isPresent() && token > transfer.token,
                    same -> new IllegalStateException("leadership of " + path + " was being transferred, and '"
                            + leader.participantId() + "' of " + leader.node() + " leads instead, with token "
                            + token));
        });
    }

    private static boolean isTo(PathView.Entry leader, Transfer transfer) {
        return transfer.successor
                .filter(id -> id.node().equals(leader.node()) && id.number() == leader.number())
                .isPresent();
    }

    /** Nothing comes any more. */
    void end(RuntimeException cause) {
        fail(transfer -> true, path -> cause);
    }

    private void fail(Predicate<Transfer> which, Function<String, RuntimeException> cause) {
        take(which).forEach(transfer -> transfer.done.completeExceptionally(cause.apply(transfer.path)));
    }

    /** A caller that hears of the end may ask for another transfer, so the transfers are removed before. */
    private List<Transfer> take(Predicate<Transfer> which) {
        List<Transfer> taken = transfers.stream().filter(which).toList();
        transfers.removeIf(transfer -> transfer.done.isDone() || !taken.isEmpty() && which.test(transfer));
        return taken;
    }
}
