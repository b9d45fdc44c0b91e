package io.quorate.tcp;

import io.quorate.jvm.Printable;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Lets a line pass once per subject and minute, and counts those that it leaves out. One thread uses it.
 *
 * <p>Times are nanoseconds of one clock, compared by difference.
 */
final class LogLimit {

    static final long PERIOD_NANOS = 60_000_000_000L;

    private static final int SHOWN_MAX = 128;
    private static final String OTHERS = "";

    private final Map<String, Line> lines = new HashMap<>();
    private final int subjectsMax;

    private static final class Line {
        private long at;
        private long leftOut;
    }

    /** @param subjectsMax so many have lines of their own; all others share one */
    LogLimit(int subjectsMax) {
        this.subjectsMax = subjectsMax;
    }

    /** How many lines were left out since the last one that passed; empty if this one is left out as well. */
    OptionalLong enter(String subject, long now) {
        Line line = lines.get(subject);
        if (line == null) {
            if (lines.size() >= subjectsMax) {
                lines.values().removeIf(each -> now - each.at >= PERIOD_NANOS);
            }
            String key = lines.size() >= subjectsMax ? OTHERS : subject;
            line = lines.get(key);
            if (line == null) {
                Line first = new Line();
                first.at = now;
                lines.put(key, first);
                return OptionalLong.of(0);
            }
        }
        if (now - line.at < PERIOD_NANOS) {
            line.leftOut++;
            return OptionalLong.empty();
        }
        long leftOut = line.leftOut;
        line.at = now;
        line.leftOut = 0;
        return OptionalLong.of(leftOut);
    }

    /** A text from outside as it may stand in a log: one line of 128 characters, or little more. */
    static String printable(String text) {
        return Printable.of(text, SHOWN_MAX);
    }
}
