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

    /** With thousands of changed paths, heartbeats and claims pass after so many. */
    public static final int EVALUATIONS_PER_STEP = 512;

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
     * @param evaluation evaluates a path; answers false for one on which this node neither contends nor watches, which
     *                   costs nothing and does not count
     * @return whether there were any
     */
    public boolean work(Predicate<String> evaluation) {
        if (paths.isEmpty()) {
            return false;
        }
        int evaluations = 0;
        while (evaluations < EVALUATIONS_PER_STEP && !paths.isEmpty()) {
            Iterator<String> waiting = paths.iterator();
            String first = waiting.next();
            waiting.remove();
            evaluations += evaluation.test(first) ? 1 : 0;
        }
        return true;
    }
}
