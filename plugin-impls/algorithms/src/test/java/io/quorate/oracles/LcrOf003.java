package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;

/** The program {@code leader.hny} of source 003, figure 25.1; the lines of its processor are quoted. */
final class LcrOf003 extends Oracle {

    private final int succ;
    private boolean working = true; // "var working = True"

    LcrOf003(Place place, String changed) {
        super(place, changed);
        this.succ = behind(self);
    }

    @Override
    void started(int configured) {
        put(isChanged("send(succ, self, False)") ? 0 : self, false);
    }

    private void put(int id, boolean found) {
        send(succ, found ? "True" : "False", (long) id);
    }

    @Override
    void received(int from, Letter letter) {
        int id = (int) letter.number(0);
        boolean found = letter.is("True");
        if (isChanged("if id == self") ? id == size - 1 : id == self) {
            if (!found) {
                follow(self); // "it discovers that it is the leader"
            }
            boolean isEnd = found && !isChanged("the second phase ends at its owner");
            if (!isEnd && !isChanged("send(succ, id, True)")) {
                put(id, true);
            }
        } else if (isChanged("elif id > self") ? id >= 0 : id > self) {
            put(id, isChanged("send(succ, id, found)") ? false : found);
        }
        if (found) {
            if (id != self) {
                follow(id); // "until it discovers the identifier of the leader in the second phase"
            }
            working = isChanged("working = False");
        }
    }

    @Override
    boolean isParticipating(boolean otherwise) {
        return working;
    }

    @Override
    boolean isOver() {
        return !working;
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofLcr(in, "False", "True");
    }
}
