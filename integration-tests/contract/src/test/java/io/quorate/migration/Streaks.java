package io.quorate.migration;

import io.quorate.migration.StagedCluster.Streak;
import java.util.ArrayList;
import java.util.List;

/** Judges when processes led: never two at one instant, and with tokens that do not fall. */
final class Streaks {

    private long tokenMax;

    /** What is wrong with streaks that are sorted by their beginning. */
    List<String> faults(List<Streak> streaks) {
        List<String> faults = new ArrayList<>();
        Streak last = null;
        for (Streak next : streaks) {
            if (last != null && !last.process().equals(next.process()) && next.from() < last.to()) {
                faults.add("two leaders: " + last + " and " + next);
            }
            if (last == null || next.to() > last.to()) {
                last = next;
            }
            if (next.token() != 0 && next.token() < tokenMax) {
                faults.add("the token falls below " + tokenMax + ": " + next);
            }
            tokenMax = Math.max(tokenMax, next.token());
        }
        return faults;
    }

    /** The longest time from one leader to the next one, in milliseconds. */
    static long leaderlessMillisMax(List<Streak> streaks) {
        long longest = 0;
        long end = streaks.isEmpty() ? 0 : streaks.get(0).from();
        for (Streak streak : streaks) {
            longest = Math.max(longest, streak.from() - end);
            end = Math.max(end, streak.to());
        }
        return longest / 1_000_000;
    }
}
