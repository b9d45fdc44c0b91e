package io.quorate.runtime;

import io.quorate.spi.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes turns on the thread of the transport: between the wire and the node nothing changes threads. Between two rounds
 * of turns the transport has its own.
 */
final class LoopTurns implements TurnTaker {

    private final EventLoop loop;
    private final Turns turns;
    private final Runnable onGone;
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final AtomicBoolean isGone = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    // Of the loop alone.
    /** When the loop takes turns next although nobody wakes it. */
    private long alarmAt;

    private boolean isAlarmSet;

    /** @param onGone called once, when the loop takes no turns any more although they are not over */
    LoopTurns(EventLoop loop, Turns turns, Runnable onGone) {
        this.loop = loop;
        this.turns = turns;
        this.onGone = onGone;
    }

    @Override
    public void start() {
        wake();
    }

    @Override
    public void wake() {
        if (isWoken.compareAndSet(false, true)) {
            guarded(() -> loop.execute(this::run));
        }
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private void run() {
        thread = Thread.currentThread();
        // Before the turns: whoever posts behind them wakes it again.
        isWoken.set(false);
        long pause = turns.take();
        if (pause == 0) {
            wake();
        } else if (pause != OVER) {
            setAlarm(pause);
        }
    }

    private void setAlarm(long pause) {
        long instant = System.nanoTime() + pause;
        if (isAlarmSet && alarmAt - instant <= 0) {
            return;
        }
        isAlarmSet = true;
        alarmAt = instant;
        guarded(() -> loop.schedule(() -> onAlarm(instant), pause));
    }

    private void onAlarm(long instant) {
        if (alarmAt == instant) {
            isAlarmSet = false;
        }
        // Even if it is awake: then it has turns twice, but a loop that has lost a task does not keep it asleep for
        // ever.
        run();
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RejectedExecutionException e) {
            if (!isGone.getAndSet(true)) {
                onGone.run();
            }
        }
    }
}
