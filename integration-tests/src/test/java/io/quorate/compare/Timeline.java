package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

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

    private static final double SECOND = 1e9;

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

    /** Those that led. */
    List<String> nodes() {
        return beliefs.stream().map(Belief::node).distinct().sorted().toList();
    }

    /** From the first moment to this one. */
    double seconds(long moment) {
        return (moment - moments().min().orElseThrow()) / SECOND;
    }

    /** From the first moment to the last one; never 0. */
    double seconds() {
        return Math.max(1 / SECOND, seconds(moments().max().orElseThrow()));
    }

    private LongStream moments() {
        return LongStream.concat(beliefs.stream().flatMapToLong(belief -> LongStream.of(belief.from(), belief.to())),
                deeds.stream().mapToLong(Deed::at));
    }
}
