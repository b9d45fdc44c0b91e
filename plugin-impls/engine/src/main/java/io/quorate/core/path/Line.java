package io.quorate.core.path;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Leaders that something is to be done for, first come, first served. A leader that has had a turn stands behind all
 * others, and so does one that comes: those that need many turns, and the many that come, keep nobody waiting for ever.
 */
class Line {

    /** With the round in which each had its last turn, or came: those that have a turn now stand before all others. */
    private final Map<LocalContender, Integer> leaders = new LinkedHashMap<>();

    private Integer round = 0;

    /** No effect if it stands here. */
    void add(LocalContender leader) {
        leaders.putIfAbsent(leader, round);
    }

    /** No effect if it does not stand here. */
    void remove(LocalContender leader) {
        leaders.remove(leader);
    }

    /** Each has a turn from now on: those that have none yet have theirs behind the others. */
    void allow() {
        round++;
    }

    boolean hasTurn() {
        return !leaders.isEmpty() && !leaders.values().iterator().next().equals(round);
    }

    /** Takes a turn; answers whose it is. Only while there is one. */
    LocalContender next() {
        LocalContender next = leaders.keySet().iterator().next();
        leaders.remove(next);
        leaders.put(next, round);
        return next;
    }
}
