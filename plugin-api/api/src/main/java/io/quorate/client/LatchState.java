package io.quorate.client;

import io.quorate.LeaderLatchListener;
import io.quorate.engine.Clock;
import io.quorate.engine.Engine;
import io.quorate.engine.SerialDispatcher;
import io.quorate.engine.Tenure;
import java.io.EOFException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The state that a latch shares with its tenures. The lock guards all fields that are not volatile. */
abstract class LatchState implements ListenerSet.Owner {

    /** The answer of {@code finishWork} if nothing holds up the end. */
    public static final CompletableFuture<Void> NO_WORK = CompletableFuture.completedFuture(null);

    final String path;
    final LatchCallbacks callbacks;
    final SerialDispatcher dispatcher;
    final ListenerSet<LeaderLatchListener> listeners;
    final ReentrantLock lock = new ReentrantLock();
    final CompletableFuture<Engine.Candidacy> candidacy = new CompletableFuture<>();
    LeadershipStages stages = LeadershipStages.NONE;
    // Set when it joins; nothing asks for them before.
    @SuppressWarnings("NullAway.Init")
    volatile Clock clock;

    @SuppressWarnings("NullAway.Init")
    volatile Engine engine;

    volatile @Nullable Drain drain;
    volatile boolean resignsIfThrown;
    /** Completed when the listeners have heard of the end, for others that close this; null before it is closed. */
    volatile @Nullable CompletableFuture<Void> told;
    /** In how many tenures in a row, up to the last, {@code isLeader} threw. */
    int failuresInARow;

    LatchState(String path, LatchCallbacks callbacks) {
        this.path = path;
        this.callbacks = callbacks;
        this.dispatcher = new SerialDispatcher(callbacks.executor());
        this.listeners = new ListenerSet<>(dispatcher, this);
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public ClientMonitors monitors() {
        return callbacks.monitors();
    }

    /** Whether it has been started, and not been closed. */
    abstract boolean isStarted();

    /** Whether this is its present tenure. */
    abstract boolean has(Tenure tenure);

    /** The exception for a thread that waits for a latch that cannot lead. */
    public EOFException neverLeads() {
        EOFException end = new EOFException();
        failure().ifPresent(end::initCause);
        return end;
    }

    Optional<RuntimeException> failure() {
        Engine current = engine;
        return current == null ? Optional.empty() : current.failure();
    }
}
