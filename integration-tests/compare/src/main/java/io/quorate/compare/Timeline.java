package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Who took itself for the leader during one trial of a side, and what was done to it. Times are nanoseconds of
 * {@link System#nanoTime}.
 */
final class Timeline {

    /** A node led from then to then, by its own word. */
    record LeadSpell(String node, long from, long to) {}

    /** What was done. */
    record Deed(String node, String what, long at) {}

    private static final double SECOND = 1e9;

    private final ComparedSide side;
    private final String trial;
    private final List<LeadSpell> spells = new ArrayList<>();
    private final List<Deed> deeds = new ArrayList<>();

    Timeline(ComparedSide side, String trial) {
        this.side = side;
        this.trial = trial;
    }

    ComparedSide side() {
        return side;
    }

    String trial() {
        return trial;
    }

    void led(NodeHandle node, long from, long to) {
        spells.add(new LeadSpell(node.id(), from, to));
    }

    void done(NodeHandle node, String what, long at) {
        deeds.add(new Deed(node.id(), what, at));
    }

    List<LeadSpell> spells() {
        return spells;
    }

    List<Deed> deeds() {
        return deeds;
    }

    /** Those that led. */
    List<String> nodes() {
        return spells.stream().map(LeadSpell::node).distinct().sorted().toList();
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
        return LongStream.concat(
                spells.stream().flatMapToLong(spell -> LongStream.of(spell.from(), spell.to())),
                deeds.stream().mapToLong(Deed::at));
    }
}
