package io.quorate.runtime;

import io.quorate.testkit.Deadline;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CountDownLatch;

/** A durable store whose disk breaks when a test wants it. */
final class FaultyStore implements TermStore {

    /** What all attempts to store do but the first, which belongs to the start. */
    enum Failure {
        NONE(""),
        FULL_DISK("no space left"),
        WITHOUT_MESSAGE("java.nio.channels.ClosedChannelException"),
        UNCHECKED("a broken store");

        /** What is told of it. */
        final String text;

        Failure(String text) {
            this.text = text;
        }
    }

    volatile boolean failsToOpen;
    /** Open, unless the disk is to hang while the store is opened. */
    volatile CountDownLatch opens = new CountDownLatch(0);

    /** Open, unless the disk should hang at each write but the first. */
    volatile CountDownLatch answers = new CountDownLatch(0);

    volatile Failure failure = Failure.NONE;
    private volatile boolean isOpen;
    private int attempts;
    private volatile boolean isClosed;

    @Override
    public boolean isDurable() {
        return true;
    }

    @Override
    public Stored open() throws IOException {
        if (failsToOpen) {
            throw new IOException("locked by another process");
        }
        Deadline.await(opens, "the disk hangs");
        isOpen = true;
        return Stored.NOTHING;
    }

    @Override
    public void store(Stored stored) throws IOException {
        if (attempts > 0) {
            Deadline.await(answers, "the disk hangs");
        }
        switch (++attempts == 1 ? Failure.NONE : failure) {
            case FULL_DISK -> throw new IOException("no space left on device");
            case WITHOUT_MESSAGE -> throw new ClosedChannelException();
            case UNCHECKED -> throw new IllegalStateException("a broken store");
            default -> {}
        }
    }

    @Override
    public void close() {
        isClosed = true;
        isOpen = false;
    }

    boolean isOpen() {
        return isOpen;
    }

    boolean isClosed() {
        return isClosed;
    }
}
