package io.quorate.compare;

import java.util.EnumSet;
import java.util.Set;

/** What can be left out. */
enum TrialName {
    CALM("start, hand-over"),
    COST("calls"),
    STABLE("idle, then busy"),
    PAUSE("SIGSTOP of the leader for three detection times"),
    CRASH("SIGKILL of the leader"),
    VOTER("SIGKILL of a server or voter"),
    CUT("network cut around the leader, both ways and one way each"),
    MANY("many latches"),
    ALGORITHMS("what needs an election, with every algorithm; brings CALM, CRASH and CUT with it; not in quick mode"
            + " unless named"),
    CONTENDERS("nodes that do not vote; Quorate alone, and not in quick mode unless named");

    private final String title;

    TrialName(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** What runs if these are named, all of it if none is. */
    static Set<TrialName> chosen(Set<TrialName> named, boolean isFull) {
        Set<TrialName> chosen = EnumSet.allOf(TrialName.class);
        if (!named.isEmpty()) {
            chosen.retainAll(named);
        } else if (!isFull) {
            chosen.removeAll(EnumSet.of(ALGORITHMS, CONTENDERS));
        }
        if (chosen.contains(ALGORITHMS)) {
            chosen.addAll(EnumSet.of(CALM, CRASH, CUT));
        }
        return chosen;
    }
}
