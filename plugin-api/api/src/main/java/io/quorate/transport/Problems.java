package io.quorate.transport;

import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The problems that a part of a node has now. The part notes a problem where it writes the line of the log, and removes
 * it where the problem ends, so health, meters and status pages report what the log says. It keeps at most
 * {@value Transport#PROBLEMS_MAX} problems; further ones are in the log only. Thread-safe.
 */
public final class Problems {

    /**
     * How long a problem counts after the last attempt that has failed, where no success would be reported. Attempts
     * come each second. If it is too long, it tells of what is repaired; if it is too short, it flickers.
     */
    public static final Duration AFTER_AN_ATTEMPT = Duration.ofSeconds(15);

    /** The number of problems in one sentence. A line that is longer is hard to read. */
    private static final int TOLD_MAX = 3;

    /**
     * A problem of one subject.
     *
     * @param until when it ends unless it is noted again; null if only {@link #remove} ends it
     */
    private record Standing(Problem problem, @Nullable Long until) {

        boolean isOver(long now) {
            return until != null && now - until >= 0;
        }
    }

    private final LongSupplier clock;
    /** Guarded by this. */
    private final Map<String, Standing> standing = new LinkedHashMap<>();

    /**
     * Has no problems.
     *
     * @param clock returns nanoseconds that never go back, as {@link System#nanoTime}
     */
    public Problems(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Notes a problem, which lasts until {@link #remove}. It replaces an earlier problem of the same subject.
     *
     * @param subject tells the problem from others of this part
     * @param kind    what is wrong
     * @param text    what is wrong and what to do
     */
    public void note(String subject, Problem.Kind kind, String text) {
        note(subject, kind, text, (Long) null);
    }

    /**
     * As {@link #note(String, Problem.Kind, String)}, for a problem whose end is not reported. It also ends by itself
     * if it is not noted again in time.
     *
     * @param subject as above
     * @param kind    as above
     * @param text    as above
     * @param length  how long it lasts unless it is noted again, more than 0
     */
    public void note(String subject, Problem.Kind kind, String text, Duration length) {
        note(subject, kind, text, (Long) (clock.getAsLong() + length.toNanos()));
    }

    private synchronized void note(String subject, Problem.Kind kind, String text, @Nullable Long until) {
        forgetWhatIsOver();
        if (standing.size() < Transport.PROBLEMS_MAX || standing.containsKey(subject)) {
            standing.put(subject, new Standing(new Problem(kind, text), until));
        }
    }

    /**
     * Ends the problem of this subject; no effect if there is none.
     *
     * @param subject as it was noted
     */
    public synchronized void remove(String subject) {
        standing.remove(subject);
    }

    /**
     * Returns the problems of this moment, oldest first.
     *
     * @return at most {@value Transport#PROBLEMS_MAX}; a copy
     */
    public synchronized List<Problem> list() {
        forgetWhatIsOver();
        return standing.values().stream().map(Standing::problem).toList();
    }

    /**
     * Appends problems to a sentence about a node.
     *
     * @param reason   the sentence
     * @param problems what is wrong with the node
     * @return the sentence with the first {@value #TOLD_MAX} problems, and the number of the others; the sentence alone
     *         if there is no problem
     */
    public static String added(String reason, List<Problem> problems) {
        List<String> told = problems.stream()
                .map(Problem::text)
                .filter(text -> !reason.contains(text))
                .toList();
        StringBuilder text = new StringBuilder(reason);
        told.stream().limit(TOLD_MAX).forEach(each -> text.append("; ").append(each));
        int more = told.size() - TOLD_MAX;
        if (more > 0) {
            text.append("; and ").append(more).append(" more problems");
        }
        return text.toString();
    }

    private void forgetWhatIsOver() {
        long now = clock.getAsLong();
        standing.values().removeIf(each -> each.isOver(now));
    }
}
