package io.quorate.compare;

import java.util.EnumSet;
import java.util.Set;

/** What can be left out. */
enum TrialName {
    CALM("start, first hand-over, hand-over"),
    FIRST("more first hand-overs of processes that were just started"),
    COST("calls"),
    STABLE("idle, then busy"),
    PAUSE("SIGSTOP of the leader for three detection times"),
    CRASH("SIGKILL of the leader"),
    VOTER("SIGKILL of a server or voter"),
    CUT("network cut around the leader, both ways and one way each"),
    IDLE("one latch, a long time without work; not in quick mode unless named"),
    MANY("many latches"),
    CONTAINERS("a small share of a processor for each process; not in quick mode unless named"),
    ALGORITHMS("what needs an election, with every algorithm; brings CALM, CRASH and CUT with it; only if named"),
    CONTENDERS("nodes that do not vote; Quorate alone; only if named"),
    FLOOR("processes that elect nobody, and only send each other frames; only if named");

    private final String title;

    TrialName(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** What runs if these are named; the usual trials of the mode if none is. */
    static Set<TrialName> chosen(Set<TrialName> named, boolean isFull) {
        Set<TrialName> chosen = EnumSet.allOf(TrialName.class);
        if (!named.isEmpty()) {
            chosen.retainAll(named);
        } else {
            chosen.removeAll(EnumSet.of(ALGORITHMS, CONTENDERS, FLOOR));
            if (!isFull) {
                chosen.removeAll(EnumSet.of(IDLE, CONTAINERS));
            }
        }
        if (chosen.contains(ALGORITHMS)) {
            chosen.addAll(EnumSet.of(CALM, CRASH, CUT));
        }
        return chosen;
    }
}
