package io.quorate.core.step;

import io.quorate.spi.NodeId;
import java.util.HashMap;
import java.util.Map;

/** Says which notices are due: each kind once per peer and minute, however often its cause recurs. */
public final class Notices {

    /** A minute: how long the same thing is not said again. */
    public static final long PAUSE_NANOS = 60_000_000_000L;

    /**
     * Lines of one kind within a minute, over all peers. There are more than there can be voters, so that each voter
     * has its line. Without a secret strangers may invent names, and must not fill the log.
     */
    public static final int LINES_MAX = 20;

    /** The most peers and kinds that are remembered; there are more only if somebody invents names. */
    static final int KEPT_MAX = 1_000;

    private record Key(String kind, NodeId peer) {}

    /** How many were due of one kind since it began to count. */
    private static final class Minute {
        private long since;
        private int count;

        private boolean hasRoom(long now, int countMax) {
            if (count == 0 || now - since >= PAUSE_NANOS) {
                since = now;
                count = 0;
            }
            return count < countMax;
        }
    }

    private final int perKindMax;
    private final Map<Key, Long> last = new HashMap<>();
    private final Map<String, Minute> minutes = new HashMap<>();

    /**
     * @param perKindMax so many of one kind are due within a minute: {@link #LINES_MAX} if each is a line of the log
     */
    public Notices(int perKindMax) {
        this.perKindMax = perKindMax;
    }

    /**
     * Whether it is to be said at {@code now}, in nanoseconds; if so, it counts as said.
     *
     * @param kind one of few
     */
    public boolean isDue(String kind, NodeId peer, long now) {
        Key key = new Key(kind, peer);
        Long before = last.get(key);
        Minute minute = minutes.computeIfAbsent(kind, any -> new Minute());
        if (before != null && now - before < PAUSE_NANOS || !minute.hasRoom(now, perKindMax)) {
            return false;
        }
        if (before == null && last.size() >= KEPT_MAX) {
            last.values().removeIf(instant -> now - instant >= PAUSE_NANOS);
            if (last.size() >= KEPT_MAX) {
                return false;
            }
        }
        last.put(key, now);
        minute.count++;
        return true;
    }
}
