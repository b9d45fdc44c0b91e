package io.quorate.compare;

import java.util.concurrent.locks.LockSupport;

/** Asks a latch every millisecond whether it leads, and keeps the answers. */
final class Answers extends Thread {

    private static final long PERIOD_NANOS = 1_000_000;
    /** Ten minutes. */
    private static final int COUNT_MAX = 600_000;

    private final Contenders.Latch latch;
    private final long[] asked = new long[COUNT_MAX];
    private final boolean[] answered = new boolean[COUNT_MAX];
    private volatile int count;

    Answers(Contenders.Latch latch) {
        super("answers");
        this.latch = latch;
        setDaemon(true);
    }

    @Override
    public void run() {
        while (count < COUNT_MAX) {
            int next = count;
            asked[next] = System.nanoTime();
            answered[next] = latch.hasLeadership();
            count = next + 1;
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    /**
     * Of the questions asked from this moment on: how many were answered by yes before the first no, and when that one
     * was asked, 0 if none was.
     */
    String since(long moment) {
        int total = count;
        int first = 0;
        while (first < total && asked[first] - moment < 0) {
            first++;
        }
        int no = first;
        while (no < total && answered[no]) {
            no++;
        }
        return (no - first) + " " + (no == total ? 0 : asked[no]);
    }
}
