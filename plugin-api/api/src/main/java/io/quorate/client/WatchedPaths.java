package io.quorate.client;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The paths that a client lets its node watch, with their namespace. A path is watched from the first question about it
 * until its last user has gone, or until the last question that waits at that time is answered. The owner guards it.
 */
public final class WatchedPaths {

    private final Set<String> watched = new HashSet<>();
    /** How many questions about a path wait. */
    private final Map<String, Integer> waiting = new HashMap<>();
    /** The paths whose last user has gone while a question waited. */
    private final Set<String> left = new HashSet<>();

    /** The path is watched from now on. */
    public void add(String path) {
        watched.add(path);
        left.remove(path);
    }

    /** A question about it waits; {@link #answered} follows. */
    public void asked(String path) {
        watched.add(path);
        waiting.merge(path, 1, Integer::sum);
    }

    /** The last user of the path has gone. Answers whether the node must stop watching it. */
    public boolean leave(String path) {
        if (waiting.containsKey(path)) {
            left.add(path);
            return false;
        }
        return watched.remove(path);
    }

    /**
     * A question is answered, or was given up. Answers whether the node must stop watching the path.
     *
     * @param isUsed whether it has users again
     */
    public boolean answered(String path, boolean isUsed) {
        waiting.computeIfPresent(path, (p, count) -> count == 1 ? null : count - 1);
        if (waiting.containsKey(path) || !left.remove(path)) {
            return false;
        }
        return !isUsed && watched.remove(path);
    }

    /** The client is closed: nothing is watched any more. */
    public void clear() {
        watched.clear();
        left.clear();
    }
}
