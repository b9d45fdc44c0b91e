package io.quorate.runtime;

import io.quorate.core.ContenderId;
import io.quorate.core.NodeEvent;
import io.quorate.core.PathView;
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

    /** Its successor is not known before the node has agreed. */
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

    // Of the driver's thread alone.
    private final Map<Integer, List<Transfer>> transfers = new HashMap<>();

    Transfers(Turns turns) {
        this.turns = turns;
    }

    /** As {@link Engine.Candidacy#transferTo}; called by the application. */
    CompletionStage<Void> request(DriverCandidacy from, String participantId) {
        return turns.ask(done -> {
            List<Transfer> own = transfers.computeIfAbsent(from.number(), n -> new ArrayList<>());
            // Whoever asked before has given up.
            own.removeIf(transfer -> transfer.done.isDone());
            own.add(new Transfer(from.path(), done));
            turns.node().accept(new NodeEvent.TransferTo(from.number(), participantId));
        });
    }

    /** The node has agreed to the contender's latest transfer. */
    void onBegun(int number, ContenderId successor) {
        latest(number).successor = Optional.of(successor);
    }

    /** The node has refused the contender's latest transfer. */
    void onRefused(int number, RuntimeException cause) {
        Transfer refused = latest(number);
        transfers.get(number).remove(refused);
        refused.done.completeExceptionally(cause);
    }

    private Transfer latest(int number) {
        List<Transfer> own = transfers.get(number);
        return own.get(own.size() - 1);
    }

    boolean isEmpty() {
        return transfers.isEmpty();
    }

    /** The node knows more of the path. */
    void onChanged(String path, PathView view) {
        view.leader().ifPresent(leader -> onLeader(path, leader));
    }

    private void onLeader(String path, PathView.Entry leader) {
        for (Iterator<List<Transfer>> each = transfers.values().iterator(); each.hasNext();) {
            List<Transfer> own = each.next();
            own.stream().filter(transfer -> transfer.path.equals(path) && isSuccessor(transfer, leader))
                    .forEach(transfer -> transfer.done.complete(null));
            own.removeIf(transfer -> transfer.done.isDone());
            if (own.isEmpty()) {
                each.remove();
            }
        }
    }

    private static boolean isSuccessor(Transfer transfer, PathView.Entry leader) {
        return transfer.successor.filter(id -> id.node().equals(leader.node()) && id.number() == leader.number())
                .isPresent();
    }

    /** Nothing comes any more. */
    void end(RuntimeException cause) {
        transfers.values().forEach(own -> own.forEach(transfer -> transfer.done.completeExceptionally(cause)));
        transfers.clear();
    }
}
