package io.quorate.ring;

import io.quorate.machine.Patience;
import io.quorate.spi.Check;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;

/**
 * K1, K3 to K6 and K8 of docs/algorithms/common.md#hardening-rules, as both rings keep them. K2 and K7 are theirs,
 * because their victories differ. The timer TR is pending exactly while the process takes part.
 */
public abstract class HardenedRingElection extends RingElection {

    private static final String TR = "TR";
    private static final String HB = "HB";

    /** K5: the current or last attempt of this process. */
    protected Attempt attempt = Attempt.NONE;

    /** K8: how much longer than its base TR is. */
    protected Patience patience = Patience.BASE;

    private final long repetition; // HB: one circulation
    private final long retryTimeout;

    /**
     * A machine that was not started yet.
     *
     * @param retryTimeout TR: longer than an election takes in which nothing fails
     */
    protected HardenedRingElection(Membership membership, Timing timing, Options options, long retryTimeout) {
        super(membership, options);
        this.repetition = timing.deltas(contenders);
        this.retryTimeout = retryTimeout;
    }

    // ---------------------------------------------------------------- what the rings do in their own ways

    /** Takes over a configured leader, with the victory (term, leader). */
    protected abstract void follow(int configured);

    /** Says round the ring that this process leads. */
    protected abstract void announce();

    /** K2: the last accepted victory. */
    protected abstract Mark seen();

    // ---------------------------------------------------------------- events

    @Override
    protected final void onStart(Event.Start start) {
        attempt = new Attempt(start.incarnation(), 0); // K5
        if (start.initialLeader().isPresent()) {
            int configured = start.initialLeader().getAsInt();
            Check.state(isContender(configured), "initial leader %d: does not contend", configured);
            follow(configured);
        }
        setRepetition();
    }

    @Override
    protected final void onSuspected(int process) {
        super.onSuspected(process);
        if (participating) {
            initiateAnew(); // the message may have died with the process
        }
    }

    @Override
    protected final void onTimer(String timer) {
        if (timer.equals(HB)) {
            onRepetition();
        } else {
            Check.state(timer.equals(TR), "timer %s: was never set", timer);
            Check.state(participating, "timer TR ran out in no election");
            patience = patience.afterTimeout(); // K8
            initiateAnew(); // K4
        }
    }

    /** K3: repairs what raises no event, as a lost message, a healed partition, a restart, a second leader. */
    private void onRepetition() {
        if (leader == self && !participating) {
            announce();
        }
        setRepetition();
    }

    private void setRepetition() {
        set(HB, repetition);
    }

    /** K1: looks at the state after every event, so that no order of events can leave a dead leader behind. */
    @Override
    protected final void recheck() {
        if (suspects.contains(leader) || leader == self && !isViable()) {
            dropLeader();
        }
        if (leader == NOBODY) {
            initiate();
        }
    }

    /** K6: a process that trusts a minority may be on the wrong side of a partition, whose other side has a leader. */
    protected final boolean isViable() {
        return !options.quorumGuard() || isMajority(contenders - suspects.size());
    }

    /** This process has no leader any more; the end of the event sees to an election. */
    protected final void dropLeader() {
        leader = NOBODY;
        nominateNobody();
    }

    // ---------------------------------------------------------------- elections

    /** Begins an election unless this process takes part in one. */
    protected final void initiate() {
        if (!participating) {
            initiateAnew();
        }
    }

    private void initiateAnew() {
        participating = true;
        attempt = attempt.next(); // K5
        sendOwn();
        setRetry();
    }

    /** K5: whether an own message that has come home may end the election. */
    protected final boolean isCurrent(Attempt ofMessage) {
        return participating && ofMessage.equals(attempt);
    }

    /** K8: an own message has come home that is not current. If it is of this life and election, TR was too short. */
    protected final void onLate(Attempt ofMessage) {
        if (participating
                && ofMessage.incarnation() == attempt.incarnation()
                && ofMessage.number() < attempt.number()) {
            patience = patience.afterLate();
        }
    }

    /** Takes part without an own message: awaits the end of an election, or initiates when TR runs out (K4). */
    protected final void participate() {
        if (!participating) {
            participating = true;
            setRetry();
        }
    }

    /** Puts the retry off, for a process that takes part. */
    protected final void setRetry() {
        set(TR, patience.of(retryTimeout));
    }

    /** An election has ended, if this process took part in one. */
    protected final void endParticipation() {
        if (participating) {
            participating = false;
            patience = Patience.BASE; // K8
            cancel(TR);
        }
    }

    @Override
    protected void checkInvariants() {
        super.checkInvariants();
        Check.state(leader == NOBODY || leader == seen().process(), "leader %d has no victory, %s has", leader, seen());
        Check.state(leader != NOBODY || participating, "K1: no leader and no election");
        Check.state(participating || patience.equals(Patience.BASE), "K8: %s in no election", patience);
        Check.state(!suspects.contains(leader), "K1: leader %d is suspected", leader);
    }
}
