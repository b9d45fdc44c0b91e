package io.quorate.core.step;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The paths that have changed, with those of this node's voter. Each is evaluated once, at the end of the step or of
 * one that follows at once. So the code that changes a path need not know the consequences.
 */
public final class Agenda {

    /** Paths that only a voter keeps, for one on which its node contends. */
    private static final int OTHERS_PER_EVALUATION = 8;

    private final Set<String> paths = new LinkedHashSet<>();

    /** Something has happened to the path. */
    public void add(String path) {
        paths.add(path);
    }

    /** Whether no path is to be evaluated. */
    public boolean isEmpty() {
        return paths.isEmpty();
    }

    /**
     * Evaluates some of the paths, first come, first served.
     *
     * @param max        how many at most
     * @param evaluation evaluates a path; answers false for one on which this node neither contends nor watches, which
     *                   costs little and counts as little
     */
    public void work(int max, Predicate<String> evaluation) {
        int left = max * OTHERS_PER_EVALUATION;
        while (left > 0 && !paths.isEmpty()) {
            Iterator<String> waiting = paths.iterator();
            String first = waiting.next();
            waiting.remove();
            left -= evaluation.test(first) ? OTHERS_PER_EVALUATION : 1;
        }
    }
}
