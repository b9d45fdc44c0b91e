package io.quorate.core.support;

import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.voters.VoterList;

/**
 * The heartbeats of this node: when they leave, and what they say. They leave every period, but those of all voters
 * together as far as possible. A node that wants to be answered at once, because it leads or because something is
 * amiss, keeps its own time; a voter that answers it sends its own heartbeats with the answer.
 */
public final class Heartbeats {

    /**
     * The number of heartbeats with which a node asks its majority in one period. As many frames pass to a silent peer,
     * or some of these heartbeats would not leave.
     */
    public static final int PROBES_PER_PERIOD = 4;

    private final StepContext context;
    private final SupportHeld supportHeld;
    private final NodeLiveness liveness;
    private final boolean isDurable;
    private final Runnable onDue;

    @SuppressWarnings("NullAway.Init") // by start
    private Timers.Handle timer;

    private long sentAt;
    private boolean isFollowing;
    private boolean isBusy;

    /** @param onDue calls {@link #begin} and {@link #send} */
    public Heartbeats(
            StepContext context, SupportHeld supportHeld, NodeLiveness liveness, boolean isDurable, Runnable onDue) {
        this.context = context;
        this.supportHeld = supportHeld;
        this.liveness = liveness;
        this.isDurable = isDurable;
        this.onDue = onDue;
    }

    // ---------------------------------------------------------------- when

    /** Heartbeats leave in this step; the next ones a period later. */
    public void begin() {
        long period = context.lease().heartbeat();
        sentAt = context.now();
        // A little later than the heartbeats of the voter that sets the pace, which so come first, at once or after
        // some periods.
        set(sentAt + (isFollowing ? period + period / 8 : period));
        isFollowing = false;
    }

    /** The next heartbeats leave in this step. */
    public void hurry() {
        hurry(context.now());
    }

    /** The next heartbeats leave at this instant, or before. */
    public void hurry(long instant) {
        if (timer.deadline() - instant > 0) {
            set(instant);
        }
    }

    /**
     * No majority is heard, and the lease is not over: a majority that is heard in time keeps it. The next heartbeats
     * leave a part of a period after the last ones.
     */
    public void hurryForMajority() {
        hurry(sentAt + context.lease().heartbeat() / PROBES_PER_PERIOD);
    }

    /**
     * The voter wants to be answered at once, and so sets the pace; of two such voters, the first does. The next
     * heartbeats leave in this step, unless the last ones have just left. While a voter is missing, no node waits for
     * another.
     */
    void follow(int voter) {
        if (!liveness.areVotersUp() || isBusy && voter > context.selfVoter()) {
            return;
        }
        isFollowing = true;
        if (context.now() - sentAt >= context.lease().heartbeat() / 2) {
            hurry();
        }
    }

    private void set(long instant) {
        timer = context.timers().replace(timer, instant, onDue);
    }

    // ---------------------------------------------------------------- what

    /**
     * Sends one to each other voter.
     *
     * @param busy    whether this node leads or claims, and so needs what is left of its lease
     * @param termMax the highest term that this node's voter knows; 0 if it does not vote
     */
    public void send(boolean isConnected, boolean busy, long termMax) {
        isBusy = busy;
        long sequence = supportHeld.nextHeartbeat();
        VoterList voters = context.voters();
        boolean hasTime = !isBusy && liveness.areVotersUp();
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (voter != context.selfVoter()) {
                boolean isUrgent = !hasTime || liveness.isAckOverdue(voter);
                context.send(
                        context.voter(voter),
                        new Heartbeat(
                                voters.number(),
                                voters.number() > 1 ? voters.hash() : 0,
                                sequence,
                                supportHeld.renounced(voter),
                                isConnected,
                                isUrgent,
                                termMax,
                                context.configHash(),
                                isDurable,
                                liveness.reportVersion(voter)));
            }
        }
    }
}
