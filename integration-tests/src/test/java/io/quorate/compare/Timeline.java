package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * Who took itself for the leader during one trial of a side, and what was done to it. Times are nanoseconds of
 * {@link System#nanoTime}.
 */
final class Timeline {

    /** A node believed from then to then that it leads. */
    record Belief(String node, long from, long to) {
    }

    /** What was done. */
    record Deed(String node, String what, long at) {
    }

    private final Side side;
    private final String trial;
    private final List<Belief> beliefs = new ArrayList<>();
    private final List<Deed> deeds = new ArrayList<>();

    Timeline(Side side, String trial) {
        this.side = side;
        this.trial = trial;
    }

    Side side() {
        return side;
    }

    String trial() {
        return trial;
    }

    void believed(NodeHandle node, long from, long to) {
        beliefs.add(new Belief(node.id(), from, to));
    }

    void done(NodeHandle node, String what, long at) {
        deeds.add(new Deed(node.id(), what, at));
    }

    List<Belief> beliefs() {
        return beliefs;
    }

    List<Deed> deeds() {
        return deeds;
    }
}
