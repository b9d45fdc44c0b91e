package io.quorate.adapters;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Work that must run on one node at a time. It counts the runs that began while another one was going on. Thread-safe. */
final class Work {

    /** How long a run takes. */
    static final long MILLIS = 300;

    private final AtomicInteger going = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final List<String> overlaps = new CopyOnWriteArrayList<>();
    private volatile String node = "";

    /** Says that a run begins on this node. */
    void begin(String on) {
        String before = node;
        if (going.getAndIncrement() > 0) {
            overlaps.add(on + " began while " + before + " was at work");
        }
        node = on;
        begun.incrementAndGet();
    }

    void end() {
        going.decrementAndGet();
    }

    /** A whole run. An interrupt does not stop it in the middle, because half a report is useless. */
    void run(String on) {
        begin(on);
        boolean interrupted = false;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.sleep(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        end();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The node that is at work now. */
    Optional<String> busy() {
        return going.get() > 0 ? Optional.of(node) : Optional.empty();
    }

    int runs() {
        return begun.get();
    }

    List<String> overlaps() {
        return List.copyOf(overlaps);
    }
}
