package io.quorate.compare;

import io.quorate.compare.NodeHandle.LatchReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What the latches of all processes have reported, with a wait for more. */
final class LatchReports {

    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final List<LatchReport> all = new ArrayList<>();

    synchronized void add(LatchReport report) {
        all.add(report);
        notifyAll();
    }

    /** The earliest one that is as wanted, now or soon. */
    synchronized LatchReport await(String what, Predicate<LatchReport> wanted) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (true) {
            Optional<LatchReport> found = all.stream().filter(wanted).min(Comparator.comparingLong(LatchReport::nanos));
            if (found.isPresent()) {
                return found.get();
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException("not within " + DEADLINE_NANOS / 1_000_000_000 + " s: " + what);
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting: " + what, e);
            }
        }
    }

    /** The first leader of the path after this moment. */
    LatchReport awaitLeader(String path, long after) {
        return await(
                "a leader of " + path,
                report -> report.isLeader() && report.path().equals(path) && report.nanos() - after > 0);
    }

    /** Whoever led the path last: on a busy machine leadership may have moved since it was looked for. */
    synchronized LatchReport lastLeader(String path) {
        return all.stream()
                .filter(report -> report.isLeader() && report.path().equals(path))
                .max(Comparator.comparingLong(LatchReport::nanos))
                .orElseThrow();
    }

    /** How often leadership of the path was lost since this moment. */
    synchronized long losses(String path, long since) {
        return all.stream()
                .filter(report -> !report.isLeader() && report.path().equals(path) && report.nanos() - since > 0)
                .count();
    }

    synchronized void clear() {
        all.clear();
    }
}
