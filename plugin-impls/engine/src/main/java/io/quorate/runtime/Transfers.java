package io.quorate.runtime;

import io.quorate.core.message.ContenderId;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The transfers of leadership whose successor does not lead yet. */
final class Transfers {

    /** The successor is not known before the node has agreed. */
    private static final class Transfer {
        private final String path;
        private final CompletableFuture<Void> done;
        private Optional<ContenderId> successor = Optional.empty();

        private Transfer(String path, CompletableFuture<Void> done) {
            this.path = path;
            this.done = done;
        }
    }

    private final Turns turns;

    // Confined to the driver's thread.
    private final Map<Long, List<Transfer>> transfers = new HashMap<>();

    Transfers(Turns turns) {
        this.turns = turns;
    }

    /** As {@link Engine.Candidacy#transferTo}; called by the application. */
    CompletionStage<Void> request(long number, String path, String participantId) {
        return turns.ask(done -> {
            List<Transfer> own = transfers.computeIfAbsent(number, n -> new ArrayList<>());
            // The earlier caller has given up.
            own.removeIf(transfer -> transfer.done.isDone());
            own.add(new Transfer(path, done));
            turns.node().accept(new NodeEvent.TransferTo(number, participantId));
        });
    }

    void onBegun(long number, ContenderId successor) {
        latest(number).ifPresent(transfer -> transfer.successor = Optional.of(successor));
    }

    /** @param successor all transfers to this one are over; empty if the latest request is */
    void onRefused(long number, Optional<ContenderId> successor, RuntimeException cause) {
        List<Transfer> refused = successor.isEmpty()
                ? latest(number).map(List::of).orElse(List.of())
                : transfers.getOrDefault(number, List.of()).stream()
                        .filter(transfer -> transfer.successor.equals(successor))
                        .toList();
        transfers.computeIfPresent(number, (same, own) -> {
            own.removeAll(refused);
            return own.isEmpty() ? null : own;
        });
        refused.forEach(transfer -> transfer.done.completeExceptionally(cause));
    }

    /** Empty if the caller was told of an end meanwhile. */
    private Optional<Transfer> latest(long number) {
        List<Transfer> own = transfers.getOrDefault(number, List.of());
        return own.isEmpty() ? Optional.empty() : Optional.of(own.get(own.size() - 1));
    }

    /** The contender has left for good, so its node no longer follows its transfer. */
    void onLeft(long number) {
        List<Transfer> own = transfers.remove(number);
        if (own != null) {
            own.forEach(transfer -> transfer.done.completeExceptionally(new IllegalStateException("leadership of "
                    + transfer.path + " was being transferred, and the contender was closed before the successor was"
                    + " seen to lead")));
        }
    }

    boolean isEmpty() {
        return transfers.isEmpty();
    }

    void onChanged(String path, PathView view) {
        Optional<PathView.Entry> leader = view.leader();
        if (leader.isEmpty()) {
            return;
        }
        for (Iterator<List<Transfer>> each = transfers.values().iterator(); each.hasNext(); ) {
            List<Transfer> own = each.next();
            own.stream()
                    .filter(transfer -> transfer.path.equals(path) && isSuccessor(transfer, leader.get()))
                    .forEach(transfer -> transfer.done.complete(null));
            own.removeIf(transfer -> transfer.done.isDone());
            if (own.isEmpty()) {
                each.remove();
            }
        }
    }

    private static boolean isSuccessor(Transfer transfer, PathView.Entry leader) {
        return transfer.successor
                .filter(id -> id.node().equals(leader.node()) && id.number() == leader.number())
                .isPresent();
    }

    /** Nothing comes any more. */
    void end(RuntimeException cause) {
        transfers.values().forEach(own -> own.forEach(transfer -> transfer.done.completeExceptionally(cause)));
        transfers.clear();
    }
}
