package io.quorate.core.step;

import io.quorate.spi.NodeId;
import java.util.HashMap;
import java.util.Map;

/** Says which warnings are due: each kind once per peer and minute, however often its cause recurs. */
public final class Notices {

    /** A minute: how long the same thing is not said again. */
    public static final long PAUSE_NANOS = 60_000_000_000L;

    /** Of so many peers and kinds at one time; there are more only if somebody invents names. */
    static final int KEPT_MAX = 1_000;

    private record Key(String kind, NodeId peer) {}

    private final Map<Key, Long> last = new HashMap<>();

    /** Whether it is to be said at {@code now}, in nanoseconds; if so, it counts as said. */
    public boolean isDue(String kind, NodeId peer, long now) {
        Key key = new Key(kind, peer);
        Long before = last.get(key);
        if (before != null && now - before < PAUSE_NANOS) {
            return false;
        }
        if (before == null && last.size() >= KEPT_MAX) {
            last.values().removeIf(instant -> now - instant >= PAUSE_NANOS);
            if (last.size() >= KEPT_MAX) {
                return false;
            }
        }
        last.put(key, now);
        return true;
    }
}
