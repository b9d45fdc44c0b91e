package io.quorate.bully;

import io.quorate.bully.BullyMessage.Alive;
import io.quorate.bully.BullyMessage.Victory;
import io.quorate.machine.Terms;
import io.quorate.spi.Check;
import io.quorate.spi.Event;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/**
 * The hardened variant (H, docs/algorithms/bully.md#hardened): the rules of source 001 with K1 to K7 of
 * docs/algorithms/common.md#hardening-rules. K5 needs no code: none of these messages comes back to its sender.
 */
final class HardenedBullyElection extends BullyElection {

    private static final String HB = "HB";

    private Terms terms = Terms.NONE; // K2

    HardenedBullyElection(Membership membership, Timing timing, Options options) {
        super(membership, timing, options);
    }

    @Override
    protected void onStart(Event.Start start) {
        if (start.initialLeader().isPresent()) {
            leader = start.initialLeader().getAsInt();
            Check.state(isContender(leader), "initial leader %d: does not contend", leader);
            terms = terms.accepted(Terms.victory(terms.term(), leader));
        }
        setRepetition();
    }

    @Override
    protected void onSuspected(int process) {
        suspects = with(suspects, process); // K1 does the rest
    }

    @Override
    protected void onTrusted(int process) {
        suspects = without(suspects, process);
    }

    /** K1: a leader that died before its victory came raises no suspicion any more, so the state is asked instead. */
    @Override
    protected void recheck() {
        if (suspects.contains(leader) || leader == self && !isViable()) {
            leader = NOBODY;
            nominateNobody();
        }
        if (leader == NOBODY) {
            elect();
        }
    }

    /** K6: a process that trusts a minority may be on the wrong side of a partition, whose other side has a leader. */
    private boolean isViable() {
        return !options.quorumGuard() || isMajority(contenders - suspects.size());
    }

    // ---------------------------------------------------------------- an election

    private void elect() {
        if (isParticipating()) {
            return;
        }
        if (self == highest()) { // rule 1
            win();
            return;
        }
        Check.state(leader != self, "process %d leads and starts an election", self);
        sendToHigher(new BullyMessage.Election(terms.term())); // rule 1; suspected ones included
        waitForAlive();
    }

    private void win() {
        stopWaiting();
        if (!isViable()) {
            waitForVictory(); // K4: tries again when T2 runs out
            return;
        }
        leader = self;
        terms = terms.won(self);
        announce(); // rules 1 and 2
        nominate(self, terms.seen());
    }

    private void announce() {
        sendToOthers(new Victory(terms.seen().term()));
    }

    @Override
    void onNoAlive() {
        win(); // rule 2
    }

    @Override
    void onNoVictory() {
        elect(); // rule 3, K4
    }

    // ---------------------------------------------------------------- messages

    @Override
    void onBullyMessage(int from, BullyMessage message) {
        terms = terms.merged(message.term()); // K2
        super.onBullyMessage(from, message);
    }

    @Override
    void onAlive(int from) {
        if (from > self && isWaitingForAlive()) { // rule 3
            stopWaiting();
            waitForVictory();
        }
    }

    @Override
    void onElection(int from, BullyMessage.Election call) {
        if (from > self) {
            return; // an ALIVE would make it wait for us
        }
        send(from, new Alive(terms.term())); // rule 4
        if (leader != self) {
            elect();
        } else if (call.term() > terms.seen().term()) {
            win(); // K2: it has seen a later victory than ours
        } else {
            answerWithVictory(from); // no new election for somebody who missed it
        }
    }

    private void answerWithVictory(int process) {
        send(process, new Victory(terms.seen().term()));
    }

    @Override
    void onVictory(int from, Victory message) { // rule 5
        Mark victory = Terms.victory(message.term(), from);
        if (from < self) {
            onVictoryOfLower(victory);
        } else if (!suspects.contains(from)) { // or K1 would depose it at once
            onVictoryOfHigher(victory);
        }
    }

    private void onVictoryOfLower(Mark victory) {
        if (leader == self && victory.compareTo(terms.seen()) > 0) {
            win(); // K2: above its followers' mark as well
        } else if (leader == self) {
            answerWithVictory(victory.process());
        }
        // Without a leader here an election is running. If we follow somebody, his repetition deposes the sender.
    }

    private void onVictoryOfHigher(Mark victory) {
        int from = victory.process();
        if (victory.compareTo(terms.seen()) >= 0) {
            adopt(victory);
        } else if (leader <= from) { // or NOBODY
            terms = terms.aboveSeen(); // K2
            send(from, new BullyMessage.Election(terms.term()));
        }
        // D1, an addition: we follow a higher leader, whose repetition deposes the sender. To nudge the sender as well
        // would let the two outbid each other without end while they cannot hear each other.
    }

    private void adopt(Mark victory) {
        boolean changed = leader != victory.process() || !victory.equals(terms.seen());
        stopWaiting();
        leader = victory.process();
        terms = terms.accepted(victory);
        if (changed) {
            nominate(leader, victory);
        }
    }

    // ---------------------------------------------------------------- K3

    private void setRepetition() {
        set(HB, timing.deltas(2));
    }

    @Override
    protected void onTimer(String timer) {
        if (timer.equals(HB)) {
            onRepetition();
        } else {
            super.onTimer(timer);
        }
    }

    /** K3: repairs what raises no event, as a lost VICTORY, a healed partition, a restart, a second leader. */
    private void onRepetition() {
        if (leader == self) {
            announce();
        }
        setRepetition();
    }

    // ---------------------------------------------------------------- state

    @Override
    protected void checkInvariants() {
        super.checkInvariants();
        Mark seen = terms.seen();
        Check.state(leader == NOBODY || leader == seen.process(), "leader %d has no victory, %s has", leader, seen);
        Check.state(leader != self || !isParticipating(), "Participating: leader %d is in an election", leader);
        Check.state(leader != NOBODY || isParticipating(), "K1: no leader and no election");
        Check.state(!suspects.contains(leader), "K1: leader %d is suspected", leader);
    }

    @Override
    protected void writeSaved(WireWriter out) { // K7
        terms.writeTo(out);
    }

    @Override
    protected void readSaved(WireReader in) throws MalformedInputException {
        terms = Terms.read(in);
    }

    @Override
    public BullyState snapshot() {
        return super.snapshot().with(terms);
    }

    @Override
    public void restore(State state) {
        super.restore(state);
        terms = ((BullyState) state).terms();
    }
}
