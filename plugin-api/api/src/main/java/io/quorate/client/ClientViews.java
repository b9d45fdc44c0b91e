package io.quorate.client;

import io.quorate.ConnectionLossException;
import io.quorate.Participant;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Answers who contends on a path and who leads it, within the client's connection time-out. */
public final class ClientViews {

    private final Client client;
    private final Engine engine;
    private final Duration connectionTimeout;

    /** The client, as a question needs it. */
    public interface Client {

        /**
         * A question about a path begins. The path is watched from now on, and {@link #answered} must follow.
         *
         * @param path relative to the namespace
         * @return the path with the namespace
         */
        String asked(String path);

        /** The question is answered, or was given up. */
        void answered(String path);

        /**
         * Passes if questions can be answered.
         *
         * @throws RuntimeException the reason why they cannot
         */
        void throwUnlessRunning();

        /** Passes the stage's outcome on from a callback thread, so that the engine's runs no dependent stage. */
        <T> CompletionStage<T> onCallbackThread(CompletionStage<T> stage);
    }

    public ClientViews(Client client, Engine engine, Duration connectionTimeout) {
        this.client = client;
        this.engine = engine;
        this.connectionTimeout = connectionTimeout;
    }

    /** As a latch's {@code getParticipants}, of any path. */
    public Collection<Participant> participants(String path) throws ConnectionLossException, InterruptedException {
        return participants(view(path));
    }

    public CompletionStage<Collection<Participant>> participantsAsync(String path) {
        return viewAsync(path).thenApply(ClientViews::participants);
    }

    /** As a latch's {@code getLeader}, of any path. */
    public Participant leader(String path) throws ConnectionLossException, InterruptedException {
        return leader(view(path));
    }

    public CompletionStage<Participant> leaderAsync(String path) {
        return viewAsync(path).thenApply(ClientViews::leader);
    }

    private static Collection<Participant> participants(PathView view) {
        return view.contenders().stream().map(ClientViews::participant).toList();
    }

    private static Participant leader(PathView view) {
        return view.leader().map(ClientViews::participant).orElseGet(() -> new Participant("", false));
    }

    private static Participant participant(PathView.Entry entry) {
        return new Participant(entry.participantId(), entry.isLeader());
    }

    private PathView view(String path) throws ConnectionLossException, InterruptedException {
        String pathInCluster = client.asked(path);
        try {
            return awaitView(pathInCluster);
        } finally {
            client.answered(path);
        }
    }

    private PathView awaitView(String pathInCluster) throws ConnectionLossException, InterruptedException {
        CompletableFuture<PathView> view = engine.view(pathInCluster).toCompletableFuture();
        try {
            long remaining = engine.letTimePass(connectionTimeout.toNanos(), view::isDone);
            return view.get(remaining, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            client.throwUnlessRunning();
            throw late(pathInCluster);
        } catch (ExecutionException e) {
            client.throwUnlessRunning();
            throw unknown(pathInCluster, e.getCause());
        } finally {
            view.cancel(false);
        }
    }

    /** Completed on a callback thread. */
    private CompletionStage<PathView> viewAsync(String path) {
        String pathInCluster;
        try {
            pathInCluster = client.asked(path);
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
        CompletableFuture<PathView> view;
        try {
            view = engine.view(pathInCluster).toCompletableFuture();
        } catch (IllegalArgumentException e) {
            client.answered(path);
            return CompletableFuture.failedStage(e);
        }
        view.whenComplete((answer, failure) -> client.answered(path));
        return client.onCallbackThread(engine.orTimeout(view, connectionTimeout))
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(reason(pathInCluster, failure)));
    }

    private Throwable reason(String pathInCluster, Throwable failure) {
        try {
            client.throwUnlessRunning();
        } catch (RuntimeException e) {
            return e;
        }
        return failure instanceof TimeoutException ? late(pathInCluster) : unknown(pathInCluster, failure);
    }

    private ConnectionLossException late(String pathInCluster) {
        return new ConnectionLossException("No voter has told who contends on " + pathInCluster + " within "
                + connectionTimeout.toMillis() + " ms; " + engine.describe());
    }

    private static IllegalStateException unknown(String pathInCluster, @Nullable Throwable cause) {
        return new IllegalStateException("the contenders of " + pathInCluster + " are unknown", cause);
    }
}
