package io.quorate.core.path;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Leaders that something is to be done for, first come, first served. Who has had a turn, and whoever comes, stands
 * behind all others: who needs many turns, or the many that come, keep nobody waiting for ever.
 */
final class Line {

    /** Those that have a turn, which is to come. */
    private final Set<LocalContender> due = new LinkedHashSet<>();
    /** Those that have none, or had it. */
    private final Set<LocalContender> waiting = new LinkedHashSet<>();

    /** No effect if it stands here. */
    void add(LocalContender leader) {
        if (!due.contains(leader)) {
            waiting.add(leader);
        }
    }

    /** No effect if it does not stand here. */
    void remove(LocalContender leader) {
        due.remove(leader);
        waiting.remove(leader);
    }

    /** Each has a turn from now on: those that have none yet have theirs behind the others. */
    void allow() {
        due.addAll(waiting);
        waiting.clear();
    }

    boolean hasTurn() {
        return !due.isEmpty();
    }

    /** Takes a turn; answers whose it is. Only while there is one. */
    LocalContender next() {
        LocalContender next = due.iterator().next();
        due.remove(next);
        waiting.add(next);
        return next;
    }
}
