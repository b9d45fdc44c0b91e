package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The ring of source 004, section "Ring Algorithm". The document's decisions settle the points that the source leaves
 * open.
 */
final class TokenRingOf004 extends Oracle {

    private boolean isTakingPart; // no rule of the source asks for it
    private List<Integer> members = List.of(); // "who the members of the new ring are"

    TokenRingOf004(Place place, String changed) {
        super(place, changed);
    }

    /** The source has no start; a process without a coordinator cannot notice anything. */
    @Override
    void started(int configured) {
        leader = configured;
        if (configured == NOBODY && !isChanged("a start without a coordinator is noticed")) {
            election();
        }
    }

    /** "When any process notices that the coordinator is no longer responding". */
    @Override
    void suspected(int process) {
        boolean isCoordinator = process == leader || isChanged("only a dead coordinator is noticed");
        boolean isKept = isTakingPart && isChanged("a participant begins");
        if (isCoordinator && !isKept && !isChanged("any process that notices begins")) {
            election();
        }
    }

    /** The source does not say how often a process notices; the document reacts to the moment of the suspicion. */
    @Override
    void handled() {
        if (isChanged("the edge of a suspicion counts") && suspects.contains(leader)) {
            election();
        }
    }

    /** "It sends a message ELECTION containing its ID to its successor". */
    private void election() {
        isTakingPart = true;
        send(successor(), "ELECTION", List.of(self));
    }

    /** "If the successor is down, it goes over the next node in the ring, and one after that". */
    private int successor() {
        return isChanged("a successor that is down is passed over") ? behind(self) : nextAlive();
    }

    @Override
    void received(int from, Letter letter) {
        List<Integer> ids = letter.processes(0);
        if (!letter.is("ELECTION")) {
            coordinator(ids, (int) letter.number(1));
            return;
        }
        boolean isBack = isChanged("its own ID may stand anywhere") ? ids.get(0) == self : ids.contains(self);
        if (isBack) {
            // "At that point the message type is changed to COORDINATOR and circulated once again".
            adopt(ids);
            if (successor() != self || isChanged("COORDINATOR needs another process")) {
                send(successor(), "COORDINATOR", ids, (long) self, (long) leader);
            }
            return;
        }
        isTakingPart = true;
        List<Integer> longer = new ArrayList<>(ids);
        if (!isChanged("each sender adds its own ID")) {
            longer.add(isChanged("the own ID goes to the end") ? 0 : longer.size(), self);
        }
        send(successor(), "ELECTION", longer);
    }

    private void coordinator(List<Integer> ids, int starter) {
        if (starter == self && !isChanged("COORDINATOR circulates once")) {
            return;
        }
        adopt(ids);
        if (!isChanged("COORDINATOR is passed on")) {
            send(successor(), "COORDINATOR", ids, (long) starter, (long) leader);
        }
    }

    /** "The one with the highest ID in the list". */
    private void adopt(List<Integer> ids) {
        isTakingPart = isChanged("the result ends taking part");
        members = isChanged("the list names the members") ? members : List.copyOf(ids);
        follow(isChanged("the highest of the list leads") ? ids.get(0) : Collections.max(ids));
    }

    @Override
    boolean isParticipating(boolean otherwise) {
        return isTakingPart;
    }

    @Override
    List<Object> readVariables(WireReader state) throws MalformedInputException {
        return Letters.ofTokenRingState(state);
    }

    @Override
    List<Object> variables() {
        return List.of(members);
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofTokenRing(in, "ELECTION", "COORDINATOR");
    }
}
