package io.quorate.nemesis;

import io.quorate.demo.RunHistory;
import io.quorate.demo.RunHistory.Answers;
import io.quorate.demo.RunHistory.Deed;
import io.quorate.demo.RunHistory.Life;
import io.quorate.demo.RunHistory.Mark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When nobody has answered that it leads.
 *
 * @param since    in nanoseconds, as {@code until}
 * @param before   who led last; empty if nobody had
 * @param isKilled whether that one was killed in that moment
 */
record Absence(long since, long until, Optional<Life> before, boolean isKilled) {

    /** A killed process may have said nothing for so long, because of its reports of answers that go on. */
    private static final long REPORTED_LATE_NANOS = 100_000_000;

    private Absence(long since, long until, Optional<Answers> before, RunHistory history) {
        this(
                since,
                until,
                before.map(Answers::life),
                before.filter(leader -> history.marks().stream().anyMatch(mark -> endsIt(mark, leader, since)))
                        .isPresent());
    }

    private static boolean endsIt(Mark mark, Answers leader, long since) {
        return mark.deed() == Deed.KILL
                && mark.node().equals(leader.life().node())
                && Math.abs(mark.atNanos() - since) < REPORTED_LATE_NANOS;
    }

    /** All of them between these moments, the shortest left out that come of asking once a millisecond. */
    static List<Absence> between(RunHistory history, long since, long until, Duration min) {
        List<Absence> found = new ArrayList<>();
        long led = since;
        Optional<Answers> before = Optional.empty();
        for (Answers reign : history.reigns()) {
            if (reign.span().firstGiven() - led > 0 && reign.span().firstGiven() < until) {
                found.add(new Absence(led, reign.span().firstGiven(), before, history));
            }
            if (reign.span().lastAsked() > led) {
                led = reign.span().lastAsked();
                before = Optional.of(reign);
            }
        }
        if (led < until) {
            found.add(new Absence(led, until, before, history));
        }
        return found.stream().filter(each -> each.nanos() >= min.toNanos()).toList();
    }

    long nanos() {
        return until - since;
    }

    /** Without what the crash of a leader may take. */
    long nanosBeyond(Duration failover) {
        return isKilled ? Math.max(0, nanos() - failover.toNanos()) : nanos();
    }
}
