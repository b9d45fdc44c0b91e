package io.quorate.runtime;

import io.quorate.core.ContenderId;
import io.quorate.core.PathView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What callers wait for until a node has learnt something of a path. Of the driver's thread alone. */
final class Waiting {

    /** A transfer; its successor is not known before the node has agreed. */
    private static final class Transfer {
        private final String path;
        private final CompletableFuture<Void> done;
        private Optional<ContenderId> successor = Optional.empty();

        private Transfer(String path, CompletableFuture<Void> done) {
            this.path = path;
            this.done = done;
        }
    }

    private final Map<String, List<CompletableFuture<PathView>>> views = new HashMap<>();
    private final Map<Integer, List<Transfer>> transfers = new HashMap<>();

    /** For the first view of a path. */
    void forView(String path, CompletableFuture<PathView> view) {
        views.computeIfAbsent(path, p -> new ArrayList<>()).add(view);
    }

    /** For a transfer by this contender; the node's answer comes next. */
    void forTransfer(int number, String path, CompletableFuture<Void> done) {
        transfers.computeIfAbsent(number, n -> new ArrayList<>()).add(new Transfer(path, done));
    }

    /** The node has agreed to the contender's latest transfer. */
    void onTransferBegun(int number, ContenderId successor) {
        latest(number).successor = Optional.of(successor);
    }

    /** The node has refused the contender's latest transfer. */
    void onTransferRefused(int number, RuntimeException cause) {
        Transfer refused = latest(number);
        transfers.get(number).remove(refused);
        refused.done.completeExceptionally(cause);
    }

    private Transfer latest(int number) {
        List<Transfer> own = transfers.get(number);
        return own.get(own.size() - 1);
    }

    /** The node knows more of the path. */
    void onViewChanged(String path, Function<String, Optional<PathView>> viewOf) {
        if (!views.containsKey(path) && transfers.isEmpty()) {
            return;
        }
        Optional<PathView> view = viewOf.apply(path);
        if (view.isEmpty()) {
            return;
        }
        List<CompletableFuture<PathView>> waiting = views.remove(path);
        if (waiting != null) {
            waiting.forEach(future -> future.complete(view.get()));
        }
        Optional<PathView.Entry> leader = view.get().contenders().stream().filter(PathView.Entry::isLeader).findFirst();
        leader.ifPresent(entry -> onLeader(path, entry));
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
        views.values().forEach(waiting -> waiting.forEach(future -> future.completeExceptionally(cause)));
        views.clear();
        transfers.values().forEach(own -> own.forEach(transfer -> transfer.done.completeExceptionally(cause)));
        transfers.clear();
    }
}
