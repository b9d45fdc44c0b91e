package io.quorate.demo;

import io.quorate.LeaderLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Asks a latch about every millisecond whether it leads, and reports runs of equal answers:
 * {@code answers <token, 0 for false> <first asked> <first given> <last asked> <count>}. A run that goes on is reported
 * again and again, so that little is lost when the process is killed. While it leads it also writes to the resource
 * of the path, {@code write <token>}. The history gets the same.
 */
final class Poller implements Runnable {

    private static final long PERIOD_NANOS = 1_000_000;
    private static final long REPORT_NANOS = 20_000_000;
    /** A longer silence starts a new run, so that the answers before and after a pause are counted apart. */
    private static final long GAP_NANOS = 100_000_000;

    private final LeaderLatch latch;
    private final Consumer<String> events;
    private final Beliefs beliefs;
    private final Stamps stamps;

    private long token;
    private long firstAsked;
    private long firstGiven;
    private long lastAsked;
    private long lastGiven;
    private long count;
    private long reportedAt;

    Poller(LeaderLatch latch, Consumer<String> events, Beliefs beliefs, Stamps stamps) {
        this.latch = latch;
        this.events = events;
        this.beliefs = beliefs;
        this.stamps = stamps;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            ask();
            // Justification: asks often, and nothing depends on how often.
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    private void ask() {
        long asked = stamps.notAfterNow();
        boolean leads = latch.hasLeadership();
        long given = stamps.notBeforeNow();
        long answer = leads ? token() : 0;
        boolean isNewRun = count == 0 || answer != token || asked - lastGiven > GAP_NANOS;
        if (isNewRun) {
            if (count > 0) {
                report(given);
            }
            beliefs.answered(answer, asked, given);
            token = answer;
            firstAsked = asked;
            firstGiven = given;
            count = 0;
        }
        lastAsked = asked;
        lastGiven = given;
        count++;
        if (isNewRun || given - reportedAt > REPORT_NANOS) {
            report(given);
        }
    }

    private long token() {
        try {
            return latch.fencingToken();
        } catch (IllegalStateException e) {
            // Ended between the two calls; the answer stands, and the name under which it led ends in the token.
            String name = latch.getLastPathIsLeader();
            return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
        }
    }

    private void report(long now) {
        events.accept("answers " + token + " " + firstAsked + " " + firstGiven + " " + lastAsked + " " + count);
        beliefs.stillAnswered(token, lastAsked, lastGiven);
        if (token != 0) {
            events.accept("write " + token);
        }
        reportedAt = now;
    }
}
