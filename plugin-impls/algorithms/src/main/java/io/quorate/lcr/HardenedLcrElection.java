package io.quorate.lcr;

import io.quorate.lcr.LcrMessage.Probe;
import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.machine.Terms;
import io.quorate.ring.HardenedRingElection;
import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;

/**
 * The hardened variant (H, docs/algorithms/lcr.md#hardened): K1 to K8 of docs/algorithms/common.md#hardening-rules, of
 * which those that both rings keep alike stand in {@link HardenedRingElection}. Decisions stand in
 * docs/algorithms/lcr.md#quirks.
 */
final class HardenedLcrElection extends HardenedRingElection {

    private Terms terms = Terms.NONE; // K2: the highest term in any message, and the last victory that was accepted

    HardenedLcrElection(Membership membership, Timing timing, Options options) {
        super(membership, timing, options, retryTimeout(timing, membership.contenders()));
    }

    /** N delta each until the highest has joined, for its PROBE, for its SELECTED; one more, or it would be a tie. */
    static long retryTimeout(Timing timing, int size) {
        return timing.deltas(3 * size + 1);
    }

    @Override
    protected void follow(int configured) {
        leader = configured;
        terms = terms.accepted(Terms.victory(terms.term(), leader));
    }

    @Override
    protected void sendOwn() {
        if (leader == self) {
            dropLeader(); // Participating: no leader takes part
        }
        sendNext(new Probe(self, attempt, terms.term(), 1));
    }

    @Override
    protected void onMessage(int from, Message message) {
        if (isContender(from) && message instanceof LcrMessage ours && isContender(ours.id())) {
            terms = terms.merged(ours.highestTerm()); // K2
            if (ours instanceof Probe probe) {
                onProbe(probe);
            } else {
                onSelected((Selected) ours);
            }
        }
    }

    /** Only its owner stops a message: if that is dead or passed by, it would go round for ever (quirk 9). */
    private boolean isOrphan(int owner, int hops) {
        return suspects.contains(owner) || hops >= contenders;
    }

    // ---------------------------------------------------------------- PROBE

    private void onProbe(Probe probe) {
        if (probe.id() == self) {
            if (isCurrent(probe.attempt())) { // K5: not one of a former attempt or life
                win();
            } else {
                onLate(probe.attempt()); // K8
            }
        } else if (isOrphan(probe.id(), probe.hops())) {
            return;
        } else if (probe.id() < self) {
            onProbeOfLower();
        } else {
            onProbeOfHigher(probe);
        }
    }

    private void onProbeOfLower() { // which ends here
        if (leader == self) {
            announce(); // no new election for a process that missed it
        } else {
            initiate(); // decision 1
        }
    }

    private void onProbeOfHigher(Probe probe) {
        if (leader == self) {
            dropLeader();
        }
        participate(); // Chang and Roberts: without an own PROBE
        sendNext(new Probe(probe.id(), probe.attempt(), terms.term(), probe.hops() + 1));
    }

    private void win() {
        if (!isViable()) { // K6
            setRetry();
            return;
        }
        endParticipation(); // decision 4: Participating is kept
        leader = self;
        raise();
        announce();
    }

    private void raise() { // K2
        terms = terms.won(self);
        nominate(self, terms.seen());
    }

    // ---------------------------------------------------------------- SELECTED

    /** With a higher term if this process has seen one since it won (K2). */
    @Override
    protected void announce() {
        if (terms.term() > terms.seen().term()) {
            raise();
        }
        sendNext(new Selected(self, terms.seen().term(), terms.term(), 1));
    }

    private void onSelected(Selected selected) {
        int id = selected.id();
        if (id == self) { // one circulation done
            if (leader == self && terms.term() > terms.seen().term()) {
                announce(); // somebody has seen a later victory than ours
            }
        } else if (isOrphan(id, selected.hops())) {
            return;
        } else if (id < self) {
            onSelectedOfLower(Terms.victory(selected.term(), id));
        } else {
            onSelectedOfHigher(Terms.victory(selected.term(), id));
            sendNext(new Selected(id, selected.term(), terms.term(), selected.hops() + 1));
        }
    }

    private void onSelectedOfLower(Mark victory) {
        if (leader == self && victory.compareTo(terms.seen()) > 0) {
            announce(); // its followers need a higher term from us
        } else if (leader < self) { // or NOBODY
            initiate();
        }
    }

    private void onSelectedOfHigher(Mark victory) {
        if (victory.compareTo(terms.seen()) < 0) {
            terms = terms.aboveSeen(); // K2: not adopted; its owner will learn why
            return;
        }
        boolean changed = leader != victory.process() || !victory.equals(terms.seen());
        leader = victory.process();
        terms = terms.accepted(victory);
        endParticipation();
        if (changed) {
            nominate(leader, victory);
        }
    }

    // ---------------------------------------------------------------- state

    @Override
    protected Mark seen() {
        return terms.seen();
    }

    @Override
    protected void checkInvariants() {
        super.checkInvariants();
        Check.state(leader != self || !participating, "Participating: leader %d is in an election", leader);
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
    public HardenedLcrState snapshot() {
        return new HardenedLcrState(ringState(), terms, attempt, patience);
    }

    @Override
    public void restore(State state) {
        HardenedLcrState snapshot = (HardenedLcrState) state;
        restoreRing(snapshot.shared());
        terms = snapshot.terms();
        attempt = snapshot.attempt();
        patience = snapshot.patience();
    }
}
