package io.quorate.runtime;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

final class ThreadTurns implements TurnTaker {

    private final Turns turns;
    private final Thread thread;
    private final AtomicBoolean isWoken = new AtomicBoolean();

    ThreadTurns(String name, Turns turns) {
        this.turns = turns;
        thread = new Thread(this::run, name);
        // A daemon: an election must not keep its application alive.
        thread.setDaemon(true);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void wake() {
        if (isWoken.compareAndSet(false, true)) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private void run() {
        long pause = 0;
        while (pause != OVER) {
            // Marked before the turns: a caller that posts after them wakes it again.
            isWoken.set(false);
            pause = turns.take();
            if (pause > 0 && !isWoken.get()) {
                // The interrupt is meant for another thread: this one has nothing to give up, and would never pause
                // again.
                Thread.interrupted();
                LockSupport.parkNanos(this, pause);
            }
        }
    }
}
