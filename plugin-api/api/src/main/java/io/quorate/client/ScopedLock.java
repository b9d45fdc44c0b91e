package io.quorate.client;

import java.util.concurrent.locks.ReentrantLock;

/** A lock that the end of a block releases, as in {@code lock.lock(); try (lock) { ... }}. */
public final class ScopedLock extends ReentrantLock implements AutoCloseable {

    private static final long serialVersionUID = 1;

    @Override
    public void close() {
        unlock();
    }
}
