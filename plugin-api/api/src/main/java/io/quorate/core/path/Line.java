package io.quorate.core.path;

import io.quorate.core.collection.LongMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Leaders that something is to be done for. Each has a turn before any of them has a second one. */
final class Line {

    private final NavigableMap<Long, LocalContender> leaders = new TreeMap<>();
    /** The number of the last one that had a turn. */
    private long last = LongMap.BEFORE_ALL;
    /** How many turns there are now; never more than leaders. */
    private int turns;

    void add(LocalContender leader) {
        leaders.put(leader.number, leader);
    }

    /** No effect if it does not stand here. */
    void remove(LocalContender leader) {
        leaders.remove(leader.number);
        allow(0);
    }

    /** Allows so many turns more, but one for each leader at most. */
    void allow(int more) {
        turns = Math.min(turns + more, leaders.size());
    }

    boolean hasTurn() {
        return turns > 0;
    }

    /** Takes a turn; answers whose it is. Only while there is one. */
    LocalContender next() {
        Map.Entry<Long, LocalContender> next = leaders.higherEntry(last);
        next = next == null ? leaders.firstEntry() : next;
        last = next.getKey();
        turns--;
        return next.getValue();
    }
}
