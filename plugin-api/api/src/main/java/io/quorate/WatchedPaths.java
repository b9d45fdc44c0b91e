package io.quorate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The paths that a client has its node watch, as the cluster knows them. A path is watched from the first question
 * about it, until its last user has gone; if a question waits then, until that is answered. Guarded by whoever has it.
 */
final class WatchedPaths {

    private final Set<String> watched = new HashSet<>();
    /** How many questions wait. */
    private final Map<String, Integer> waiting = new HashMap<>();
    /** Whose last user has gone while a question waited. */
    private final Set<String> left = new HashSet<>();

    /** Has it watched. */
    void add(String path) {
        watched.add(path);
        left.remove(path);
    }

    /** A question about it waits; {@link #answered} follows. */
    void asked(String path) {
        watched.add(path);
        waiting.merge(path, 1, Integer::sum);
    }

    /** Its last user has gone. Answers whether it is to be watched no more. */
    boolean leave(String path) {
        if (waiting.containsKey(path)) {
            left.add(path);
            return false;
        }
        return watched.remove(path);
    }

    /**
     * A question is answered, or was given up. Answers whether the path is to be watched no more.
     *
     * @param isUsed whether it has users again
     */
    boolean answered(String path, boolean isUsed) {
        waiting.computeIfPresent(path, (p, count) -> count == 1 ? null : count - 1);
        if (waiting.containsKey(path) || !left.remove(path)) {
            return false;
        }
        return !isUsed && watched.remove(path);
    }

    /** The client is closed: nothing is watched any more. */
    void clear() {
        watched.clear();
        left.clear();
    }
}
