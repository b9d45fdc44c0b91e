package io.quorate.core.path;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A walk over all paths, some in each step, after what may matter to any of them. So heartbeats pass in between: a node
 * with thousands of paths that is busy for as long as a lease lasts counts as dead. What is begun during a walk waits
 * for the next one.
 */
final class PathSweep {

    /** Paths that are looked at when a walk begins. */
    static final int PATHS_AT_ONCE = 512;

    private final Supplier<Collection<ContendedPath>> all;
    /** What is to be done at each path, and what is done at those that are left. */
    private Map<String, Consumer<ContendedPath>> next = new LinkedHashMap<>();

    private Map<String, Consumer<ContendedPath>> present = Map.of();
    private Deque<ContendedPath> left = new ArrayDeque<>();
    /** Paths that may still be looked at before the next {@link #work}. */
    private int pathsLeft = PATHS_AT_ONCE;

    /** @param all the paths that are there when a walk begins */
    PathSweep(Supplier<Collection<ContendedPath>> all) {
        this.all = all;
    }

    /**
     * Begins at once, and is over at once where there are few paths.
     *
     * @param what the name of it: of one name, the last one waits
     * @param look at a path, which may be gone by then
     */
    void begin(String what, Consumer<ContendedPath> look) {
        next.put(what, look);
        goOn();
    }

    /** Whether paths are left to look at. */
    boolean isUnderWay() {
        return !left.isEmpty() || !next.isEmpty();
    }

    /** Looks at so many of the next paths; called in each step. */
    void work(int max) {
        pathsLeft = Math.max(pathsLeft, max);
        goOn();
    }

    private void goOn() {
        while (pathsLeft > 0 && isUnderWay()) {
            if (left.isEmpty()) {
                present = next;
                next = new LinkedHashMap<>();
                left = new ArrayDeque<>(all.get());
            } else {
                pathsLeft--;
                ContendedPath path = left.remove();
                present.values().forEach(look -> look.accept(path));
            }
        }
    }
}
