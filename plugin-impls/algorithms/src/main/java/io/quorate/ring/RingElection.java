package io.quorate.ring;

import io.quorate.machine.ElectionMachine;
import io.quorate.spi.Check;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedSet;

/** A process of a ring that sends to its successor only. */
public abstract class RingElection extends ElectionMachine {

    protected int leader = NOBODY;
    /** part. */
    protected boolean participating;
    /** S; never changed in place. */
    protected SortedSet<Integer> suspects = Collections.emptySortedSet();

    /** A machine that was not started yet. */
    protected RingElection(Membership membership, Options options) {
        super(membership, options);
    }

    /**
     * next(): the first process behind this one in the ring that is not suspected; this one if there is none. It is
     * looked for among all processes, or nobody could come back.
     */
    protected final int next() {
        int place = membership.ring().indexOf(self);
        int next;
        do {
            place = (place + 1) % contenders;
            next = membership.ring().get(place);
        } while (suspects.contains(next));
        return next;
    }

    /** To the successor. */
    protected final void sendNext(Message message) {
        send(next(), message);
    }

    @Override
    protected void onSuspected(int process) {
        suspects = with(suspects, process);
    }

    @Override
    protected void onTrusted(int process) {
        suspects = without(suspects, process);
    }

    /** Sends what a process begins an election with. */
    protected abstract void sendOwn();

    // ---------------------------------------------------------------- questions, state

    @Override
    public final OptionalInt leader() {
        return leader == NOBODY ? OptionalInt.empty() : OptionalInt.of(leader);
    }

    @Override
    public final boolean isParticipating() {
        return participating;
    }

    @Override
    protected void checkInvariants() {
        Check.state(!suspects.contains(self), "process %d suspects itself", self);
    }

    /** The part of the state that stands here. */
    protected final RingState ringState() {
        return new RingState(leader, participating, suspects);
    }

    /** Takes over what {@link #ringState} gave. */
    protected final void restoreRing(RingState state) {
        leader = state.leader();
        participating = state.participating();
        suspects = state.suspects();
    }
}
