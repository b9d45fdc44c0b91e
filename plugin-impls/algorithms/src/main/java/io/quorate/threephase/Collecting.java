package io.quorate.threephase;

import io.quorate.spi.WireWriter;
import io.quorate.threephase.Priorities.Held;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Phase 3 at the judge. F uses {@code stage} and {@code best} only.
 *
 * @param stage         how far it is
 * @param best          judge.ListPRI (jl), in H with its version (jts)
 * @param ownPriorities what each process reported as its own priority; never changed
 * @param sentAt        when COLLECT or, once decided, LEADER was sent last
 * @param acknowledged  who has confirmed the LEADER; never changed
 * @param decidedAt     when it was decided; 0 before
 */
record Collecting(
        Stage stage,
        Held best,
        SortedMap<Integer, Long> ownPriorities,
        long sentAt,
        SortedSet<Integer> acknowledged,
        long decidedAt) {

    /** How far phase 3 is. DECIDED is reached in H only: F ends the election with the decision. */
    enum Stage {
        NOT_BEGUN,
        COLLECTING,
        DECIDED
    }

    static final Collecting NONE = new Collecting(
            Stage.NOT_BEGUN, Held.NOTHING, Collections.emptySortedMap(), 0, Collections.emptySortedSet(), 0);

    Collecting {
        ownPriorities = Collections.unmodifiableSortedMap(new TreeMap<>(ownPriorities));
        acknowledged = Collections.unmodifiableSortedSet(new TreeSet<>(acknowledged));
    }

    static Collecting begun(Held own, long now) {
        return new Collecting(Stage.COLLECTING, own, NONE.ownPriorities, now, NONE.acknowledged, 0);
    }

    Collecting withBest(Held better) {
        return new Collecting(stage, better, ownPriorities, sentAt, acknowledged, decidedAt);
    }

    Collecting withReport(int from, long ownPriority) {
        SortedMap<Integer, Long> more = new TreeMap<>(ownPriorities);
        more.put(from, ownPriority);
        return new Collecting(stage, best, more, sentAt, acknowledged, decidedAt);
    }

    Collecting sent(long now) {
        return new Collecting(stage, best, ownPriorities, now, acknowledged, decidedAt);
    }

    Collecting decided(long now) {
        return new Collecting(Stage.DECIDED, best, ownPriorities, now, acknowledged, now);
    }

    Collecting withAcknowledgement(int from) {
        SortedSet<Integer> more = new TreeSet<>(acknowledged);
        more.add(from);
        return new Collecting(stage, best, ownPriorities, sentAt, more, decidedAt);
    }

    void writeTo(WireWriter out) {
        out.writeByte(stage.ordinal());
        best.writeTo(out);
        ThreePhaseState.writeNumbers(out, ownPriorities);
        out.writeLong(sentAt);
        ThreePhaseMessage.writeProcesses(out, acknowledged);
        out.writeLong(decidedAt);
    }
}
