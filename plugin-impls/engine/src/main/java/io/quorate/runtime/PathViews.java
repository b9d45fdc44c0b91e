package io.quorate.runtime;

import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The questions of the application about paths, on which this node may contend or not. */
final class PathViews {

    private final Turns turns;
    private final Consumer<Runnable> guard;

    // Confined to the driver's thread.
    private final Map<String, List<CompletableFuture<PathView>>> askers = new HashMap<>();
    private final Map<String, List<Engine.ViewListener>> observers = new HashMap<>();

    /** @param guard runs a listener and survives it */
    PathViews(Turns turns, Consumer<Runnable> guard) {
        this.turns = turns;
        this.guard = guard;
    }

    // ---------------------------------------------------------------- the application's threads

    CompletionStage<PathView> view(String path) {
        return turns.ask(answer -> turns.view().apply(path).ifPresentOrElse(answer::complete, () -> {
            List<CompletableFuture<PathView>> waiting = askers.computeIfAbsent(path, p -> new ArrayList<>());
            // A caller that has given up no longer waits.
            waiting.removeIf(CompletableFuture::isDone);
            waiting.add(answer);
            turns.node().accept(new NodeEvent.WatchPath(path, true));
        }));
    }

    void unwatch(String path) {
        turns.mailbox().post(() -> {
            List<CompletableFuture<PathView>> waiting = askers.getOrDefault(path, new ArrayList<>());
            // A caller that has given up no longer waits.
            waiting.removeIf(CompletableFuture::isDone);
            if (waiting.isEmpty()) {
                askers.remove(path);
            }
            if (!isAwaited(path)) {
                turns.node().accept(new NodeEvent.WatchPath(path, false));
            }
        });
    }

    void observe(String path, Engine.ViewListener listener) {
        turns.mailbox().post(() -> {
            if (turns.over().get().isPresent()) {
                return;
            }
            observers.computeIfAbsent(path, p -> new ArrayList<>()).add(listener);
            turns.node().accept(new NodeEvent.WatchPath(path, true));
            turns.view().apply(path).ifPresent(view -> guard.accept(() -> listener.changed(view)));
        });
    }

    void unobserve(String path, Engine.ViewListener listener) {
        turns.mailbox().post(() -> {
            // None are left if the node has stopped, or was closed before the observer began.
            List<Engine.ViewListener> left = observers.getOrDefault(path, new ArrayList<>());
            left.remove(listener);
            if (left.isEmpty()) {
                observers.remove(path);
            }
        });
    }

    // ---------------------------------------------------------------- the driver's thread

    /** Whether somebody wants to know. */
    boolean isAwaited(String path) {
        return askers.containsKey(path) || observers.containsKey(path);
    }

    int waiting(String path) {
        return askers.getOrDefault(path, List.of()).size();
    }

    void onChanged(String path, PathView view) {
        List<CompletableFuture<PathView>> waiting = askers.remove(path);
        if (waiting != null) {
            waiting.forEach(asker -> asker.complete(view));
        }
        List.copyOf(observers.getOrDefault(path, List.of()))
                .forEach(listener -> guard.accept(() -> listener.changed(view)));
    }

    /** Nothing comes any more. */
    void end(RuntimeException cause) {
        askers.values().forEach(waiting -> waiting.forEach(asker -> asker.completeExceptionally(cause)));
        askers.clear();
        observers.clear();
    }
}
