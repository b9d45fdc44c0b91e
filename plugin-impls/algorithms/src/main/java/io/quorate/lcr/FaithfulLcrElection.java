package io.quorate.lcr;

import io.quorate.lcr.LcrMessage.Probe;
import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.ring.FaithfulRingElection;
import io.quorate.ring.RingState;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;

/**
 * The faithful variant (F, docs/algorithms/lcr.md#faithful): the two messages of source 001 and source 003, and nothing
 * else. Decisions stand in docs/algorithms/lcr.md#quirks.
 */
final class FaithfulLcrElection extends FaithfulRingElection {

    private final LcrRules rules;

    FaithfulLcrElection(Membership membership, Options options, LcrRules rules) {
        super(membership, options);
        this.rules = rules;
    }

    /** Begins an election unless this process takes part in one: Participating of source 001. */
    @Override
    protected void initiate() {
        if (!participating) {
            super.initiate();
        }
    }

    @Override
    protected void sendOwn() {
        sendNext(new Probe(self));
    }

    @Override
    protected void onMessage(int from, Message message) {
        if (isContender(from) && message instanceof LcrMessage ours && isContender(ours.id())) {
            if (ours instanceof Probe probe) {
                onProbe(probe);
            } else {
                onSelected((Selected) ours);
            }
        }
    }

    private void onProbe(Probe probe) {
        if (!participating) {
            if (probe.id() != self && rules.join() == LcrRules.Join.START) { // decision 1
                initiate();
            }
            participating = true;
        }
        if (probe.id() > self) {
            sendNext(probe);
        } else if (probe.id() == self) { // decision 4: still participating
            leader = self;
            sendNext(new Selected(self));
            nominate(self, Mark.NONE);
        }
    }

    private void onSelected(Selected selected) {
        participating = false;
        if (selected.id() != self) {
            leader = selected.id();
            nominate(leader, Mark.NONE);
            sendNext(selected);
        } else if (rules.resend003()) { // decision 2
            sendNext(selected);
        }
    }

    @Override
    public RingState snapshot() {
        return ringState();
    }

    @Override
    public void restore(State state) {
        restoreRing((RingState) state);
    }
}
