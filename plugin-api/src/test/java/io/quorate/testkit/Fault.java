package io.quorate.testkit;

import io.quorate.spi.Check;
import java.util.Locale;

/**
 * Something that happens to a simulated cluster, as data: what, where, from when to when. A list of them is a
 * {@link Scenario}; its text form is one line each.
 *
 * <p>Links are written {@code a>b} (one way) or {@code a-b} (both); a side is a list of nodes {@code n1,n2}, everybody
 * {@code *}, or everybody but one {@code !n3}. A node may be {@code leader}: the leader of the path {@code /a} when the
 * fault begins.
 *
 * @param at     when it begins, in milliseconds of real (virtual) time
 * @param until  when it is over; the same for what has no duration
 * @param where  links, or a node, or a node and a path {@code n1/a}
 * @param amount as the kind says
 */
public record Fault(long at, long until, Kind kind, String where, long amount) {

    /** What happens. */
    public enum Kind {
        /** Nothing passes these links. */
        CUT,
        /** So many of a hundred messages are lost on these links. */
        LOSS,
        /** Messages on these links take up to so many milliseconds more, and overtake each other. */
        DELAY,
        /** So many of a hundred messages on these links arrive twice. */
        DUPLICATION,
        /** These links are cut for so many milliseconds, whole for as many, and so on. */
        FLAP,
        /** The process is killed; a write to its disk that is under way is lost. It starts again at the end. */
        CRASH,
        /** As {@link #CRASH}, but the write reaches the disk. */
        CRASH_AFTER_WRITE,
        /** The process ends in order, and starts again at the end. */
        SHUTDOWN,
        /** The process is stopped, and goes on at the end. */
        PAUSE,
        /** The node's thread stops in the middle of its next step, and goes on at the end; the application runs on. */
        STALL,
        /** Everything that the process does takes so many milliseconds. */
        SLOW,
        /** The process's clock is so many percent faster than real time, or slower if negative. */
        CLOCK,
        /** The process's wall clock is set forward by so many seconds, or back if negative. */
        WALL,
        /** The process cannot write to its disk. */
        DISK_FULL,
        /** The node's application contends on the path: a latch is opened, and closed at the end. */
        CONTEND,
        /** If the node leads on the path, it gives that up, and contends again. */
        RESIGN
    }

    public Fault {
        Check.argument(0 <= at && at <= until, "fault from %d to %d ms: must begin at 0 or later, and not end before",
                at, until);
    }

    /** The same from another time on, with the same duration. */
    Fault during(long from, long to) {
        return new Fault(from, to, kind, where, amount);
    }

    boolean isContender() {
        return kind == Kind.CONTEND;
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if it is no fault; says why
     */
    static Fault parse(String line) {
        String[] words = line.trim().split("\\s+");
        boolean isFault = (words.length == 6 || words.length == 7) && words[0].equals("at") && words[2].equals("until");
        Check.argument(isFault, "fault '%s': must be 'at <ms> until <ms> <kind> <where> [<amount>]'", line);
        try {
            return new Fault(Long.parseLong(words[1]), Long.parseLong(words[3]),
                    Kind.valueOf(words[4].toUpperCase(Locale.ROOT)), words[5],
                    words.length == 7 ? Long.parseLong(words[6]) : 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("fault '" + line + "': " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "at " + at + " until " + until + " " + kind.name().toLowerCase(Locale.ROOT) + " " + where
                + (amount == 0 ? "" : " " + amount);
    }
}
