package io.quorate.bully;

import io.quorate.bully.BullyMessage.Alive;
import io.quorate.bully.BullyMessage.Victory;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;

/**
 * The faithful variant (F, docs/algorithms/bully.md#faithful): rules 1 to 5 of source 001, and nothing else. Messages
 * have a term because the hardened variant needs one; here it is 0.
 */
final class FaithfulBullyElection extends BullyElection {

    private static final long NO_TERM = 0;

    FaithfulBullyElection(Membership membership, Timing timing, Options options) {
        super(membership, timing, options);
    }

    @Override
    protected void onStart(Event.Start start) {
        leader = start.initialLeader().orElse(NOBODY);
        if (leader == NOBODY) {
            elect();
        }
    }

    @Override
    protected void onSuspected(int process) {
        suspects = with(suspects, process);
        if (process == leader) {
            elect();
        }
    }

    @Override
    protected void onTrusted(int process) {
        suspects = without(suspects, process);
    }

    private void elect() {
        if (isParticipating()) {
            return;
        }
        if (self == highest()) { // rule 1
            win();
        } else {
            sendToHigher(new BullyMessage.Election(NO_TERM)); // rule 1; suspected ones included
            waitForAlive();
        }
    }

    private void win() {
        stopWaiting();
        leader = self;
        sendToOthers(new Victory(NO_TERM)); // rules 1 and 2
        nominate(self, Mark.NONE);
    }

    @Override
    void onNoAlive() {
        win(); // rule 2
    }

    @Override
    void onAlive(int from) {
        // A second ALIVE changes nothing: setting the timer again would let a slow peer put off the retry.
        if (from > self && isWaitingForAlive()) { // rule 3
            stopWaiting();
            waitForVictory();
        }
    }

    @Override
    void onNoVictory() {
        elect(); // rule 3
    }

    @Override
    void onElection(int from, BullyMessage.Election call) {
        send(from, new Alive(NO_TERM)); // rule 4
        elect();
    }

    @Override
    void onVictory(int from, Victory victory) {
        stopWaiting(); // rule 5
        leader = from;
        nominate(from, Mark.NONE);
    }
}
