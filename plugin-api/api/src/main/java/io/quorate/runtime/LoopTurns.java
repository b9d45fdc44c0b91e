package io.quorate.runtime;

import io.quorate.spi.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes turns on the thread of the transport, so that nothing changes threads between the wire and the node. Between
 * two rounds of turns the transport has its own.
 */
final class LoopTurns implements TurnTaker {

    /**
     * Turns may take so much longer than everything else on the thread; then they rest, for as short as the loop can
     * (ADR-0073). A loop may run all its tasks, and those that come meanwhile, before it looks at its sockets: Netty's
     * does so for a second. Too small: much work has many rests; too large: frames are heard late.
     */
    private static final long LEAD_NANOS_MAX = 4_000_000;

    private final EventLoop loop;
    private final Turns turns;
    private final Runnable onGone;
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final AtomicBoolean isGone = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    // Confined to the loop.
    /** When the loop takes turns next although nobody wakes it. */
    private long alarmAt;

    private boolean isAlarmSet;
    /** Foreign code has a turn; this counts as awake meanwhile, so that nobody gives the loop another task. */
    private boolean isResting;
    /** How much longer turns have taken than everything else. */
    private long lead;

    private long endedAt = System.nanoTime();

    /**
     * Takes none before {@link #start}.
     *
     * @param onGone called when the loop ceases to take turns although they are not over, or does not accept the next
     *               alarm; once, if it does not throw
     */
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
        if (!isWoken.compareAndSet(false, true)) {
            return;
        }
        boolean isGiven = false;
        try {
            guarded(() -> loop.execute(this::onWoken));
            isGiven = true;
        } finally {
            if (!isGiven) {
                // Memory or a thread is lacking: the next caller that wakes it tries again.
                isWoken.set(false);
            }
        }
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private void onWoken() {
        if (!isResting) {
            run();
        }
    }

    private void run() {
        thread = Thread.currentThread();
        isResting = false;
        // Marked before the turns: a caller that posts after them wakes it again.
        isWoken.set(false);
        long begun = System.nanoTime();
        lead = Math.max(0, lead - (begun - endedAt));
        long pause = turns.take();
        endedAt = System.nanoTime();
        lead += endedAt - begun;
        if (pause == OVER) {
            return;
        }
        boolean isPlanned = false;
        try {
            if (lead >= LEAD_NANOS_MAX) {
                rest();
            } else if (pause == 0) {
                wake();
            } else {
                setAlarm(pause);
            }
            isPlanned = true;
        } finally {
            if (!isPlanned) {
                // The loop may have thrown anything. Asleep without an alarm, a node that nobody wakes never wakes up.
                onRejected();
            }
        }
    }

    private void rest() {
        guarded(() -> loop.schedule(this::run, 0));
        lead = 0;
        isResting = true;
        isWoken.set(true);
    }

    private void setAlarm(long pause) {
        long now = System.nanoTime();
        long instant = now + pause;
        // An alarm that is overdue and has not rung may be lost.
        boolean isAhead = isAlarmSet && alarmAt - now > 0;
        if (isAhead && alarmAt - instant <= 0) {
            return;
        }
        guarded(() -> loop.schedule(() -> onAlarm(instant), pause));
        isAlarmSet = true;
        alarmAt = instant;
    }

    private void onAlarm(long instant) {
        if (alarmAt == instant) {
            isAlarmSet = false;
        } else if (isAlarmSet && alarmAt - System.nanoTime() > 0) {
            // A shorter pause came in between, and its turns set the next alarm.
            return;
        }
        // The alarm rings even if it is awake: then it has turns twice, but a loop that has lost a task does not keep
        // it asleep for ever.
        run();
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RejectedExecutionException e) {
            onRejected();
        }
    }

    private void onRejected() {
        if (isGone.getAndSet(true)) {
            return;
        }
        boolean isOvertaken = false;
        try {
            onGone.run();
            isOvertaken = true;
        } finally {
            if (!isOvertaken) {
                // Where the system has no thread left it is tried again.
                isGone.set(false);
            }
        }
    }
}
