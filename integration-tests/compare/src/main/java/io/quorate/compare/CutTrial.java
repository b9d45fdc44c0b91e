package io.quorate.compare;

import io.quorate.compare.NodeHandle.LatchReport;
import io.quorate.compare.Spells.Spell;
import java.util.List;

/** The network between the leader and everybody else is cut, both ways and one way each. */
final class CutTrial {

    private static final double MILLI = 1e6;
    private static final long MILLI_NANOS = 1_000_000;
    private static final String PATH = "/cut";

    private final Trials trials;
    private final Deployment deployment;

    CutTrial(Trials trials) {
        this.trials = trials;
        this.deployment = trials.deployment();
    }

    /** All nodes are asked every millisecond. */
    void run(Cut... cuts) {
        trials.contend(PATH);
        for (int i = 0; i < trials.extent().cuts(); i++) {
            for (Cut cut : cuts) {
                run(cut);
            }
        }
    }

    private void run(Cut cut) {
        long asked = System.nanoTime();
        deployment.nodes.forEach(node -> node.ask("poll " + PATH));
        trials.sleepAboutDetection();
        NodeHandle old = deployment.reports.lastLeader(PATH).node();
        long begin = System.nanoTime();
        cut.apply(old.id(), deployment.links);
        LatchReport next = deployment.reports.awaitLeader(PATH, begin);
        trials.sleepUntil(next.nanos() + MILLI_NANOS * deployment.settings.detectionMillis() / 2);
        long healed = System.nanoTime();
        deployment.links.heal();
        trials.sink().add(cut.healed, (awaitWhole(old, next.node(), healed) - healed) / MILLI);
        trials.sleepUntil(healed + Trials.SETTLED_NANOS);

        long no = old.askNumbers("answers " + begin)[1];
        if (no == 0) {
            throw new IllegalStateException(old + " has led on although it was " + cut.label());
        }
        trials.sink().add(cut.no, (no - begin) / MILLI);
        trials.sink().add(cut.next, (next.nanos() - begin) / MILLI);
        List<Spells> spells = deployment.nodes.stream()
                .map(node -> Spells.parse(node.ask("spells " + asked)))
                .toList();
        trials.sink().add(cut.overlap, overlap(spells) / MILLI);
        trials.timeline().done(old, cut.label(), begin);
        trials.timeline().done(old, "healed", healed);
        for (int i = 0; i < spells.size(); i++) {
            for (Spell spell : spells.get(i).all()) {
                trials.timeline().led(deployment.nodes.get(i), spell.from(), spell.to());
            }
        }
    }

    static long overlap(List<Spells> spells) {
        long overlap = 0;
        for (int i = 0; i < spells.size(); i++) {
            for (int j = 0; j < i; j++) {
                overlap += spells.get(i).overlap(spells.get(j));
            }
        }
        return overlap;
    }

    /** Until the leader sees all contend, and the other one sees the same. Answers when that was so. */
    private long awaitWhole(NodeHandle old, NodeHandle leader, long healed) {
        trials.awaitRejoined(leader, PATH);
        while (!old.ask("view " + PATH).equals(leader.ask("view " + PATH))) {
            trials.sleepUntil(System.nanoTime() + 5 * MILLI_NANOS);
            if (System.nanoTime() - healed > Trials.DEADLINE_NANOS) {
                throw new IllegalStateException(old + " does not see what " + leader + " sees");
            }
        }
        return System.nanoTime();
    }
}
