package io.quorate.testkit;

import java.util.concurrent.CountDownLatch;

/** A listener of which one kind of callback blocks until the test opens the gate; an event is noted at its end. */
public final class BlockingListener extends RecordingListener {

    private final String blocked;
    private final CountDownLatch isCalled = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    private BlockingListener(String blocked) {
        this.blocked = blocked;
    }

    /** Blocks while it is told of the beginning. */
    public static BlockingListener inIsLeader() {
        return new BlockingListener(IS_LEADER);
    }

    /** Blocks while it is told of the end. */
    public static BlockingListener inNotLeader() {
        return new BlockingListener(NOT_LEADER);
    }

    @Override
    public void note(String event) {
        if (event.equals(blocked)) {
            isCalled.countDown();
            Deadline.await(gate, blocked);
        }
        super.note(event);
    }

    /** Whether the callback has begun. */
    public boolean isCalled() {
        return isCalled.getCount() == 0;
    }

    /** Waits until the callback has begun. */
    public void awaitCall() {
        Deadline.await(isCalled, blocked);
    }

    /** Lets the callback return. */
    public void open() {
        gate.countDown();
    }

    /** Whether the callback has gone through. */
    public boolean hasReturned() {
        return events.contains(blocked);
    }
}
