package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;

/** The bully of source 001, section 2.3 (rules 1 to 5), with section 3.5 for a process that takes part already. */
final class BullyOf001 extends Oracle {

    /** Neither; Election was sent, and an alive may come; an alive came, and a Victory may come. */
    private enum Stage {
        NONE,
        ASKED,
        ANSWERED
    }

    private Stage stage = Stage.NONE;

    BullyOf001(Place place, String changed) {
        super(place, changed);
    }

    /** "P recovers from failure". */
    @Override
    void started(int configured) {
        if (configured != NOBODY || isChanged("a start without a leader is a recovery")) {
            leader = configured == NOBODY ? size - 1 : configured; // figure 3.1: "Leader |-> N"
        } else {
            perform();
        }
    }

    /** "Or the failure detector indicates that the current leader has failed". */
    @Override
    void suspected(int process) {
        boolean isLeader = process == leader || isChanged("any suspicion starts an election");
        // 3.5: "It only does this, if the process checking is not participating".
        if (isLeader && (stage == Stage.NONE || isChanged("a participant starts again"))) {
            perform();
        }
    }

    /** 3.5 asks for a dead leader at any time; the document reacts to the moment of the suspicion. */
    @Override
    void handled() {
        if (isChanged("the edge of a suspicion counts") && stage == Stage.NONE && suspects.contains(leader)) {
            perform();
        }
    }

    /** Rule 1. */
    private void perform() {
        int highest = size - 1;
        while (isChanged("the highest is that of all") && suspects.contains(highest)) {
            highest--;
        }
        if (self == highest) {
            win();
            return;
        }
        for (int q = isChanged("rule 1 asks all") ? 0 : self + 1; q < size; q++) {
            if (q != self && !(isChanged("rule 1 spares suspects") && suspects.contains(q))) {
                send(q, "Election");
            }
        }
        enter(Stage.ASKED);
    }

    private void win() {
        enter(Stage.NONE);
        for (int q = 0; q < (isChanged("rule 2 tells lower processes only") ? self : size); q++) {
            if (q != self) {
                send(q, "Victory");
            }
        }
        follow(self);
    }

    private void enter(Stage next) {
        stage = next;
        cancelTimer("T");
        cancelTimer("T2");
        if (stage == Stage.ASKED) {
            // docs/algorithms/bully.md#timers
            setTimer("T", isChanged("rule 2 waits for another time") ? 3 * delta : (5 * delta + 1) / 2);
        } else if (stage == Stage.ANSWERED) {
            // docs/algorithms/bully.md#timers
            setTimer("T2", (isChanged("rule 3 waits for another time") ? 4 : 5) * delta);
        }
    }

    @Override
    void fired(String timer) {
        if (stage == Stage.ASKED) {
            win(); // rule 2
        } else if (isChanged("rule 3 never restarts")) {
            enter(Stage.NONE);
        } else {
            perform(); // the last sentence of rule 3
        }
    }

    @Override
    void received(int from, Letter letter) {
        if (letter.is("alive")) {
            boolean isAwaited =
                    stage == Stage.ASKED || stage == Stage.ANSWERED && isChanged("only the first alive counts");
            if (isAwaited && from > self) {
                enter(isChanged("rule 3 ends the election") ? Stage.NONE : Stage.ANSWERED);
            }
        } else if (letter.is("Election")) {
            if (from < self && !isChanged("rule 4 answers nothing")) {
                send(from, "alive");
            }
            if (from < self && (stage == Stage.NONE || isChanged("rule 4 starts in any case"))) {
                if (leader != self || !isChanged("rule 4 spares the leader")) {
                    perform(); // rule 4
                }
            }
        } else if (from > self || !isChanged("rule 5 refuses lower processes")) {
            if (!isChanged("a Victory ends the waiting")) {
                enter(Stage.NONE);
            }
            follow(from); // rule 5
        }
    }

    @Override
    boolean isParticipating(boolean otherwise) {
        return stage != Stage.NONE;
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofBully(in, "Election", "alive", "Victory");
    }
}
