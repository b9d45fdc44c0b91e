package io.quorate.testkit.simulation;

import io.quorate.spi.Check;
import java.util.List;
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

    /** The kind of fault. */
    public enum Kind {
        /** Nothing passes these links. */
        CUT,
        /** This part of a hundred messages is lost on these links. */
        LOSS(1, 100),
        /** Messages on these links take up to so many milliseconds more, and overtake each other. */
        DELAY(1, 60_000),
        /** This part of a hundred messages arrives twice on these links. */
        DUPLICATION(1, 100),
        /** These links are cut for so many milliseconds, whole for as many, and so on. */
        FLAP(1, Integer.MAX_VALUE),
        /** The process is killed; a write to its disk that is under way is lost. It starts again at the end. */
        CRASH,
        /** As {@link #CRASH}, but the write reaches the disk. */
        CRASH_AFTER_WRITE,
        /** The process ends in order, and starts again at the end. */
        SHUTDOWN,
        /**
         * As {@link #SHUTDOWN}, and from its next start on the process has the algorithm and the rank order of this
         * number: {@link Mixture}.
         */
        SETTINGS(0, 99),
        /** The process is stopped, and goes on at the end. */
        PAUSE,
        /** The node's thread stops in the middle of its next step, and goes on at the end; the application runs on. */
        STALL,
        /** Everything that the process does takes so many milliseconds. */
        SLOW(1, 60_000),
        /**
         * Each step of the process, and each of its effects, takes so many microseconds more:
         * {@link VirtualProcess#serviceTime}.
         */
        WORK(1, 1_000_000),
        /** The process's clock is so many percent faster than real time, or slower if negative. */
        CLOCK(-99, 99),
        /** The process's wall clock is set forward by so many seconds, or back if negative. */
        WALL(Integer.MIN_VALUE, Integer.MAX_VALUE),
        /** The process cannot write to its disk. */
        DISK_FULL,
        /** The node's application contends on the path: a latch is opened, and closed at the end. */
        CONTEND,
        /**
         * As {@link #CONTEND}, on so many paths at one moment: with {@code n1/m} on {@code /m0}, {@code /m1} and so on.
         */
        CONTEND_MANY(1, 1_000_000),
        /** If the node leads on the path, it gives that up, and contends again in the place that it had. */
        RESIGN,
        /** The node gives up all paths that it leads, at once. */
        RESIGN_ALL,
        /** If the node leads on the path, or comes to, it gives that up, and stays out of the queue until the end. */
        AWAY,
        /** The leader hands the path over to another node: {@code leader/a>n2}. */
        TRANSFER,
        /**
         * Before they leave on purpose, the node's leaders finish their work: that takes each up to so many
         * milliseconds, and some never finish, and leave then.
         */
        DRAIN(1, 60_000),
        /** The node's contenders, or without a lease the node, have this priority from then on, until a restart. */
        PRIORITY(Integer.MIN_VALUE, Integer.MAX_VALUE),
        /** The node's contenders rank last until the end, also after a restart. */
        STANDBY,
        /** The node's application watches the path until the end. */
        WATCH,
        /** The node brings it about that these vote: {@code n1>n1,n2,o1}. */
        CHANGE,
        /**
         * The node is lost as soon as it has sent so many messages of changes of voters: {@code crash>n1}, {@code
         * cut>n1} or {@code pause>n1}. Its later messages of the same step are lost too, and it is back at the end.
         */
        LOST_AT_WORK(1, 1000),
        /** No message reaches the node that carries a list of voters. All others do. */
        UNTOLD,
        /**
         * The process is killed, and its disk is lost. It starts again at the end with an empty one, and waits to be
         * told who votes. Nothing happens if the guarantees would not cover that: before the first change of voters,
         * while one is under way or not known to all voters, and while fewer than three vote.
         */
        WIPE,
        /**
         * Somebody, a {@code stranger}, {@code former} life, {@code contender} or {@code voter}, sends so many lies a
         * second to each of these nodes: {@code stranger>n1,n2}.
         */
        LIE(1, 10_000);

        private final long amountMin;
        private final long amountMax;

        Kind() {
            this(0, 0);
        }

        Kind(long amountMin, long amountMax) {
            this.amountMin = amountMin;
            this.amountMax = amountMax;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String name) {
            List<Kind> kinds = List.of(values());
            return kinds.stream()
                    .filter(kind -> kind.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("kind '" + name + "': must be one of " + kinds));
        }
    }

    public Fault {
        Check.argument(
                0 <= at && at <= until,
                "fault from %d to %d ms: must begin at 0 or later, and not end before",
                at,
                until);
        Check.argument(
                kind.amountMin <= amount && amount <= kind.amountMax,
                "%s %d: must be from %d to %d",
                kind,
                amount,
                kind.amountMin,
                kind.amountMax);
    }

    /** The same from another time on, with the same duration. */
    Fault during(long from, long to) {
        return new Fault(from, to, kind, where, amount);
    }

    Fault withAmount(long other) {
        return new Fault(at, until, kind, where, other);
    }

    /** A crash, a cut from all others or a pause of the node, at the same time. */
    Fault as(String how, String node) {
        Kind other = Kind.of(how);
        return new Fault(at, until, other, other == Kind.CUT ? node + "-*" : node, 0);
    }

    /** Whether it lasts as long as anybody looks. */
    public boolean isForEver() {
        return until >= Storm.FOR_EVER;
    }

    /** Whether somebody comes to contend, which no picture names. */
    public boolean isContender() {
        return kind == Kind.CONTEND || kind == Kind.CONTEND_MANY;
    }

    /** Whether it ends or stops a process, which a look at the process shows. */
    boolean isOfProcess() {
        return switch (kind) {
            case CRASH, CRASH_AFTER_WRITE, SHUTDOWN, PAUSE -> true;
            default -> false;
        };
    }

    /** The fault and its place, without times. */
    public String text(String leader) {
        return kind + " " + where.replace(Places.LEADER, leader) + (amount == 0 ? "" : " " + amount);
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
            return new Fault(
                    number(words[1]),
                    number(words[3]),
                    Kind.of(words[4]),
                    words[5],
                    words.length == 7 ? number(words[6]) : 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("fault '" + line + "': " + e.getMessage(), e);
        }
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "': must be a whole number", e);
        }
    }

    @Override
    public String toString() {
        return "at " + at + " until " + until + " " + kind + " " + where + (amount == 0 ? "" : " " + amount);
    }
}
