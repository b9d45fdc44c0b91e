package io.quorate.runtime;

import io.quorate.jvm.Daemons;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that looks after all nodes of the process that live on threads of their transports. Such a thread
 * may end, or lose a task, for example where memory is full. The thread starts before the first of these nodes, ends
 * after the last, and allocates nothing while it looks, because it is needed most when nothing can be
 * allocated.
 */
final class Watch {

    static final Watch SHARED = new Watch(Daemons.named("quorate-watch"));

    /**
     * How often it looks. If it is too large, a node whose alarm was lost is silent for longer; if it is too small, an
     * idle process wakes often.
     */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The turns of one node. */
    interface Watched {

        /**
         * Called on the thread of the watch, now and then. Throws nothing.
         *
         * @return false if it is over
         */
        boolean look();

        /** Returns whether the watch may forget it. */
        boolean isOver();
    }

    private final ThreadFactory factory;
    private volatile List<Watched> watched = List.of();
    /** Null while there is nothing to watch. */
    private volatile @Nullable Thread thread;

    Watch(ThreadFactory factory) {
        this.factory = factory;
    }

    /**
     * Looks after these turns from now on, until they are over.
     *
     * @throws Error if there is no memory or no thread for that; then nothing has changed
     */
    synchronized void add(Watched turns) {
        List<Watched> all = new ArrayList<>(watched);
        all.add(turns);
        List<Watched> next = List.copyOf(all);
        if (thread == null) {
            Thread fresh = factory.newThread(this::run);
            fresh.start();
            thread = fresh;
        }
        watched = next;
    }

    /** Has it look now. Any thread; does not need memory. */
    void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        boolean isNeeded = true;
        while (isNeeded) {
            try {
                isNeeded = look();
            } catch (Throwable e) {
                // Justification: catches everything, because there is no other thread that would notice. The next
                // look tries it again.
            }
        }
    }

    /** Returns whether there is anything left to watch. */
    private boolean look() {
        LockSupport.parkNanos(this, LOOK_NANOS);
        // The interrupt is meant for another thread, and this one would never pause again.
        Thread.interrupted();
        List<Watched> present = watched;
        boolean areSomeOver = false;
        for (int i = 0; i < present.size(); i++) {
            areSomeOver |= !present.get(i).look();
        }
        return !areSomeOver || forget();
    }

    private synchronized boolean forget() {
        watched = watched.stream().filter(turns -> !turns.isOver()).toList();
        if (watched.isEmpty()) {
            thread = null;
        }
        return thread != null;
    }
}
