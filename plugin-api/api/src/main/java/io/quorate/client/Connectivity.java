package io.quorate.client;

import io.quorate.ClientClosedException;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The connection of a client: threads wait for it, and listeners hear of it. */
public final class Connectivity {

    /** How often a waiting thread looks, because the passing of time changes the state without a signal. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Engine engine;
    private final BooleanSupplier isClosed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    public Connectivity(Engine engine, BooleanSupplier isClosed) {
        this.engine = engine;
        this.isClosed = isClosed;
    }

    /** Wakes all threads: the connection has changed, the client was closed, or the engine has stopped by itself. */
    public void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a majority of voters.
     *
     * @return whether it is reached
     * @throws ClientClosedException if the client is closed or gets closed
     * @throws RuntimeException      the reason why the engine has stopped by itself
     */
    public boolean await(long timeoutNanos) throws InterruptedException {
        long remaining = engine.letTimePass(
                timeoutNanos,
                () -> isConnected()
                        || isClosed.getAsBoolean()
                        || engine.failure().isPresent());
        lock.lock();
        try {
            while (!isConnected()) {
                throwIfOver();
                if (remaining <= 0) {
                    return false;
                }
                long look = Math.min(remaining, LOOK_NANOS);
                remaining -= look - changed.awaitNanos(look);
            }
            throwIfOver();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean isConnected() {
        Connection connection = engine.connection();
        return connection == Connection.CONNECTED || connection == Connection.RECONNECTED;
    }

    private void throwIfOver() {
        // Before the failure: an engine that stops by itself has one before its client is closed.
        boolean wasClosed = isClosed.getAsBoolean();
        engine.failure().ifPresent(failure -> {
            throw failure;
        });
        if (wasClosed) {
            throw new ClientClosedException();
        }
    }
}
