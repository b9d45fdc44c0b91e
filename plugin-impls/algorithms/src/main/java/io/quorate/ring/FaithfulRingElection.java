package io.quorate.ring;

import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;

/** When a process of a faithful ring initiates: at its start, and when its leader is suspected. */
public abstract class FaithfulRingElection extends RingElection {

    /** A machine that was not started yet. */
    protected FaithfulRingElection(Membership membership, Options options) {
        super(membership, options);
    }

    @Override
    protected final void onStart(Event.Start start) {
        leader = start.initialLeader().orElse(NOBODY);
        if (leader == NOBODY) {
            initiate();
        }
    }

    @Override
    protected final void onSuspected(int process) {
        super.onSuspected(process);
        if (process == leader) {
            initiate();
        }
    }

    /** Begins an election. */
    protected void initiate() {
        participating = true;
        sendOwn();
    }
}
