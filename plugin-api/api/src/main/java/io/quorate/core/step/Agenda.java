package io.quorate.core.step;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The paths that something has happened to, those of this node's voter included. Each is evaluated once, at the end of
 * the step or of one that follows at once: so whatever changes a path need not know what follows from that.
 */
public final class Agenda {

    /** When thousands of paths lose their leader at one moment, heartbeats and claims come and go after so many. */
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
