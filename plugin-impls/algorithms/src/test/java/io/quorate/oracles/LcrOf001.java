package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;

/** The ring of source 001, section 4: what its text says where its formulas cannot run. */
final class LcrOf001 extends Oracle {

    private boolean participating;

    LcrOf001(Place place, String changed) {
        super(place, changed);
    }

    /** Section 4 does not print a starter. */
    @Override
    void started(int configured) {
        leader = configured;
        if (configured == NOBODY && !isChanged("a start without a leader is noticed")) {
            checkLeader();
        }
    }

    @Override
    void suspected(int process) {
        if (process == leader || isChanged("only a dead leader is noticed")) {
            checkLeader();
        }
    }

    /** Section 3.5, which section 4.1 reuses, asks for a dead leader at any time. */
    @Override
    void handled() {
        if (isChanged("the edge of a suspicion counts") && suspects.contains(leader)) {
            checkLeader();
        }
    }

    /** "It only does this, if the process checking is not participating in an election". */
    private void checkLeader() {
        if (!participating || isChanged("a participant starts again")) {
            participating = true;
            toNeighbour("PROBE", self);
        }
    }

    private void toNeighbour(String type, int id) {
        int neighbour = nextAlive();
        if (isChanged("the neighbour is the next alive")) {
            int maxAliveId = size - 1; // section 4.3: "the process id plus one", and the lowest behind MaxAliveID
            while (suspects.contains(maxAliveId)) {
                maxAliveId--;
            }
            neighbour = (self + 1) % (maxAliveId + 1);
        }
        send(neighbour, type, (long) id);
    }

    @Override
    void received(int from, Letter letter) {
        int id = (int) letter.number(0);
        if (letter.is("PROBE")) {
            handleProbe(id);
        } else {
            processSelected(id);
        }
    }

    /** HandleMessages, its first case. */
    private void handleProbe(int id) {
        // "In case of the message being a probe and the process' participating field being false, we change it to
        // true".
        boolean isJoining = id != self || !isChanged("the own probe sets participating");
        if (!participating && isJoining && !isChanged("a probe sets participating")) {
            participating = true;
            if (id != self && !isChanged("a joining process probes")) {
                toNeighbour("PROBE", self);
            }
        }
        processProbe(id);
    }

    private void processProbe(int id) {
        if (isChanged("the highest wins") ? self > id : self < id) {
            toNeighbour("PROBE", id);
        } else if (self == id) {
            follow(id);
            toNeighbour(isChanged("the winner is selected") ? "PROBE" : "SELECTED", id);
            if (isChanged("the winner participates until SELECTED is back")) {
                participating = false;
            }
        } else if (isChanged("a lower probe is discarded")) {
            toNeighbour("PROBE", self);
        }
    }

    private void processSelected(int id) {
        if (!isChanged("SELECTED ends participation")) {
            participating = false;
        }
        if (self != id) {
            if (!isChanged("SELECTED names the leader")) {
                follow(id);
            }
            if (!isChanged("SELECTED is sent on")) {
                toNeighbour("SELECTED", id); // "otherwise, the message is sent on"
            }
        } else if (isChanged("SELECTED ends at its owner")) {
            toNeighbour("SELECTED", id);
        }
    }

    @Override
    boolean isParticipating(boolean otherwise) {
        return participating;
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofLcr(in, "PROBE", "SELECTED");
    }
}
