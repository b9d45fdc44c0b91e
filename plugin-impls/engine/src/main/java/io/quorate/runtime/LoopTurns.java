package io.quorate.runtime;

import io.quorate.spi.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes turns on the thread of the transport, so that nothing changes threads between the wire and the node. Between
 * two rounds of turns the transport has its own. Once that thread has ended, the {@link Watch} takes the turns; it also
 * wakes turns whose alarm was lost, for example because memory was lacking.
 */
final class LoopTurns implements TurnTaker, Watch.Watched {

    /**
     * Turns may take so much longer than everything else on the thread; then they rest, for as short as the loop can
     * (ADR-0073). A loop may run all its tasks, and those that come meanwhile, before it looks at its sockets: Netty's
     * does so for a second. Too small: much work has many rests; too large: frames are heard late.
     */
    private static final long LEAD_NANOS_MAX = 4_000_000;

    private final EventLoop loop;
    private final Turns turns;
    private final Runnable onGone;
    private final Watch watch;
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean isOver;
    /** Whether the loop has ceased to take turns, although they are not over. */
    private volatile boolean isGone;
    /** Whether there were turns since the watch looked last. */
    private volatile boolean isSeen = true;
    /** How often the watch has looked in vain since then. Confined to the watch. */
    private int vainLooks;

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
     * @param onGone called on the thread of the watch if the loop has ceased to take turns although they are not over,
     *               before each of the turns that the watch takes from then on
     */
    LoopTurns(EventLoop loop, Turns turns, Runnable onGone, Watch watch) {
        this.loop = loop;
        this.turns = turns;
        this.onGone = onGone;
        this.watch = watch;
    }

    @Override
    public void start() {
        watch.add(this);
        wake();
    }

    @Override
    public void wake() {
        if (isGone) {
            watch.wake();
            return;
        }
        if (!isWoken.compareAndSet(false, true)) {
            return;
        }
        boolean isGiven = false;
        try {
            guarded(() -> loop.execute(this::onWoken));
            isGiven = true;
        } finally {
            if (!isGiven) {
                // Memory or a thread is lacking: the next caller that wakes it tries again, at the latest the watch.
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
        isSeen = true;
        isResting = false;
        // Marked before the turns: a caller that posts after them wakes it again.
        isWoken.set(false);
        long begun = System.nanoTime();
        lead = Math.max(0, lead - (begun - endedAt));
        long pause = turns.take();
        endedAt = System.nanoTime();
        lead += endedAt - begun;
        // If the loop throws, which it may, the watch is the one that wakes it.
        if (pause == OVER) {
            isOver = true;
            watch.wake();
        } else if (lead >= LEAD_NANOS_MAX) {
            rest();
        } else if (pause == 0) {
            wake();
        } else {
            setAlarm(pause);
        }
    }

    // ---------------------------------------------------------------- the watch

    @Override
    public boolean isOver() {
        return isOver;
    }

    /** {@inheritDoc} It does not need memory while all is well, or once the loop has gone. */
    @Override
    public boolean look() {
        Thread last = thread;
        if (last != null && !last.isAlive()) {
            isGone = true;
        }
        if (isSeen) {
            // It has until the next look.
            isSeen = false;
            vainLooks = 0;
        } else if (!isOver && !isGone && Integer.bitCount(++vainLooks) == 1) {
            // More and more rarely, because a loop that is held up gathers the tasks.
            ask();
        }
        if (!isOver && isGone) {
            takeOver();
        }
        return !isOver;
    }

    private void ask() {
        try {
            loop.execute(this::run);
        } catch (Throwable e) {
            // Justification: catches everything. The loop is foreign code, and the watch has other nodes. A loop that
            // throws although there is memory has gone.
            vainLooks = 0;
            isGone |= !(e instanceof VirtualMachineError);
        }
    }

    private void takeOver() {
        thread = Thread.currentThread();
        onGone.run();
        long pause = turns.take();
        isOver = pause == OVER;
        if (pause == 0) {
            watch.wake();
        }
    }

    // ---------------------------------------------------------------- what the loop is given

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
            isGone = true;
            watch.wake();
        }
    }
}
