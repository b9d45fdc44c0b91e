package com.example.migration.curator;

import java.io.Closeable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;

/** Writes the report again and again while its process leads; says when, by a clock of the whole machine. */
final class ReportJob implements LeaderLatchListener, Closeable {

    private static final long PERIOD_MILLIS = 20;
    private static final long STOP_SECONDS = 10;

    private final LeaderLatch latch;
    private final Consumer<String> log;

    // All are guarded by this.
    private ScheduledExecutorService scheduler;
    private int tenures;
    private boolean isClosed;

    ReportJob(LeaderLatch latch, Consumer<String> log) {
        this.latch = latch;
        this.log = log;
    }

    @Override
    public synchronized void isLeader() {
        if (isClosed) {
            return;
        }
        tenures++;
        int tenure = tenures;
        log.accept("job started " + tenure + " " + System.nanoTime());
        scheduler = Executors.newSingleThreadScheduledExecutor();
        scheduler.scheduleWithFixedDelay(() -> run(tenure), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized void notLeader() {
        if (scheduler == null) {
            return;
        }
        scheduler.shutdownNow();
        try {
            if (!scheduler.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                log.accept("job is stuck");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        scheduler = null;
        log.accept("job stopped " + tenures + " " + System.nanoTime());
    }

    /** Writes one report, unless leadership is over by now. */
    private void run(int tenure) {
        long now = System.nanoTime();
        if (latch.hasLeadership()) {
            log.accept("job ran " + tenure + " " + now);
        }
    }

    /** When this returns, it does not run and never will again. */
    @Override
    public synchronized void close() {
        isClosed = true;
        notLeader();
    }
}
