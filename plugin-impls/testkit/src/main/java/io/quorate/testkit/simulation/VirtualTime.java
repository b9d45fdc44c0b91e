package io.quorate.testkit.simulation;

import io.quorate.testkit.simulation.BrokenRule.Rule;
import java.util.PriorityQueue;

/** Virtual time: what is to happen, in the order of time, and at one instant in the order in which it was asked for. */
public final class VirtualTime {

    public static final long MILLI = 1_000_000;

    /** More than this happening in so short a time is a loop that never ends. */
    private static final long WINDOW = 10 * MILLI;

    private static final int EVENTS_PER_WINDOW_MAX = 200_000;

    private int eventsPerWindowMax = EVENTS_PER_WINDOW_MAX;

    private record Due(long at, long order, Runnable action) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>((a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.order, b.order));
    // Volatile, because an application's threads read the clock while a test lets time pass.
    private volatile long now;
    private long order;
    private long windowEnd = WINDOW;
    private int inWindow;
    private Runnable witness = () -> {};

    /** Nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    long nowMillis() {
        return now / MILLI;
    }

    /** Does it then, or now if that is over. */
    public void at(long when, Runnable action) {
        queue.add(new Due(Math.max(now, when), order++, action));
    }

    void after(long delay, Runnable action) {
        at(now + delay, action);
    }

    /** Does what is to happen up to and including this instant, which is the present one afterwards. */
    public void advanceTo(long end) {
        while (next(end)) {
            // That was one thing; the next one may have been asked for by it.
        }
    }

    /** Does the next thing, if it is to happen by this instant. If not, this instant is the present one afterwards. */
    boolean next(long end) {
        if (queue.isEmpty() || queue.peek().at > end) {
            now = Math.max(now, end);
            return false;
        }
        Due due = queue.remove();
        now = due.at;
        count();
        due.action.run();
        witness.run();
        return true;
    }

    private void count() {
        if (now >= windowEnd) {
            windowEnd = now + WINDOW;
            inWindow = 0;
        }
        inWindow++;
        if (inWindow > eventsPerWindowMax) {
            throw new BrokenRule(
                    Rule.BOUNDED, "more than " + eventsPerWindowMax + " events within " + WINDOW / MILLI + " ms");
        }
    }

    /** Sets the observer of each event, which must not change anything. */
    void witness(Runnable whoever) {
        witness = whoever;
    }

    /** Expects so many more events in a short time, which are no endless loop then. */
    public void expect(int moreEvents) {
        eventsPerWindowMax += moreEvents;
    }

    int pending() {
        return queue.size();
    }
}
