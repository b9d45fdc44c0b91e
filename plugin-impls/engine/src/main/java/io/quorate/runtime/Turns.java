package io.quorate.runtime;

import io.quorate.core.step.NodeEvent;
import io.quorate.engine.PathView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The driver, as its parts see it.
 *
 * @param mailbox where to post what its thread is to do
 * @param node    takes an event, on that thread
 * @param view    what the node knows of a path, on that thread
 * @param over    why the driver does nothing any more, if so
 */
record Turns(
        Mailbox mailbox,
        Consumer<NodeEvent> node,
        Function<String, Optional<PathView>> view,
        Supplier<Optional<RuntimeException>> over) {

    /** Asks the node something; the answer completes exceptionally if the driver has ended. */
    <T> CompletableFuture<T> ask(Consumer<CompletableFuture<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        boolean isTaken = mailbox.post(() -> {
            try {
                over.get().ifPresentOrElse(answer::completeExceptionally, () -> question.accept(answer));
            } catch (Throwable e) {
                // Justification: the node ends, and this caller is not yet in a list of those that are told.
                answer.completeExceptionally(e);
                throw e;
            }
        });
        if (!isTaken) {
            over.get().ifPresent(answer::completeExceptionally);
        }
        return answer;
    }
}
