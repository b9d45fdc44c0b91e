package io.quorate.oracles;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;

/**
 * The bully of source 004, section "Bully Algorithm". The document's decisions settle the points that the source leaves
 * open.
 */
final class BullyOf004 extends Oracle {

    private boolean isHolding; // an election, without an OK so far
    private boolean isDone; // "takes over and P_k's job is done", and no COORDINATOR came yet

    BullyOf004(Place place, String changed) {
        super(place, changed);
    }

    /** The source has no start; a process without a coordinator cannot notice anything. */
    @Override
    void started(int configured) {
        leader = configured;
        if (configured == NOBODY && !isChanged("a start without a coordinator is noticed")) {
            hold();
        }
    }

    /** "Any process notices that the coordinator is no longer responding". */
    @Override
    void suspected(int process) {
        boolean isCoordinator = process == leader || isChanged("only a dead coordinator is noticed");
        if (isCoordinator && !isHolding && !isDone && !isChanged("noticing starts nothing")) {
            hold();
        }
    }

    /** "P_k holds an election as follows". */
    private void hold() {
        isHolding = true;
        isDone = false;
        cancelTimer("T2");
        // "To all processes with higher identifiers".
        for (int q = isChanged("the next higher one is skipped") ? self + 2 : self + 1; q < size; q++) {
            send(q, "ELECTION");
        }
        if (self == size - 1 && !isChanged("the highest does not wait")) {
            win();
        } else {
            // docs/algorithms/bully.md#timers
            setTimer("T", isChanged("the wait for an OK ends") ? 3 * delta : (5 * delta + 1) / 2);
        }
    }

    private void win() {
        end();
        for (int q = 0; q < size; q++) {
            if (q != self && !(isChanged("suspects are not told") && suspects.contains(q))) {
                send(q, "COORDINATOR"); // "whenever a process wins"
            }
        }
        follow(self);
    }

    private void end() {
        isHolding = false;
        isDone = false;
        cancelTimer("T");
        cancelTimer("T2");
    }

    @Override
    void fired(String timer) {
        if (timer.equals("T")) {
            if (isChanged("silence wins nothing")) {
                end();
            } else {
                win(); // "if no one responds, P_k wins"
            }
        } else {
            hold();
        }
    }

    @Override
    void received(int from, Letter letter) {
        if (letter.is("ELECTION")) {
            send(from, isChanged("a higher one answers with COORDINATOR") ? "COORDINATOR" : "OK");
            boolean isBusy = isHolding || isDone && !isChanged("a process that is done holds none");
            boolean isHeld = isBusy || isChanged("a higher one never holds an election");
            if (!isHeld || isChanged("a higher one holds two elections")) {
                hold(); // "unless the higher up is already holding an election"
            }
        } else if (letter.is("OK")) {
            if (isHolding && !isChanged("an OK is ignored")) {
                isHolding = false;
                cancelTimer("T");
                // Section 2.3 of the other source, rule 3, knows that the one who took over may fail.
                isDone = !isChanged("the job is done for a time");
                if (isDone) {
                    // docs/algorithms/bully.md#timers
                    setTimer("T2", (isChanged("the wait for COORDINATOR ends") ? 4 : 5) * delta);
                }
            }
        } else {
            end();
            follow(isChanged("COORDINATOR names the highest") ? size - 1 : from);
        }
    }

    @Override
    Letter read(WireReader in) throws MalformedInputException {
        return Letters.ofBully(in, "ELECTION", "OK", "COORDINATOR");
    }
}
