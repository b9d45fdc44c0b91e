package io.quorate.runtime;

import io.quorate.core.support.Heartbeats;

/**
 * What one node knows of its connection to one peer: the gate for what it sends, and the order of what it receives.
 * Times are nanoseconds of one clock, compared by difference.
 */
final class Link {

    /** Ends the allowance after this many frames without a word from the peer; below the 75 that fill a socket. */
    static final int WINDOW = 32;
    /** So many received frames are acknowledged at once, before the sender runs into its window. */
    static final int ACKNOWLEDGE_AT_ONCE = WINDOW / 2;
    /**
     * A silent peer is sent at most so many frames per heartbeat. More than one, because a heartbeat that leaves early,
     * or what follows at once when some other peer is back, may be what saves a lease; and few, because nobody reads
     * them meanwhile, and a transport may have to connect for each.
     */
    static final int PROBES_PER_HEARTBEAT = Heartbeats.PROBES_PER_PERIOD;
    /** The shortest time between two refusals of an older life. */
    private static final long REFUSAL_INTERVAL_MIN = 100_000_000;

    private final long heartbeat;

    private long incarnation;
    private boolean announced;
    private long heardAt;
    private long received;

    /** The highest version of frames that the newest life and this node both speak. */
    private int common;

    private long formerIncarnation;
    private long formerHeardAt;
    private long formerReceived;

    private long sent;
    private long probingSince;
    private int probes;
    private boolean refusedOlder;
    private long refusedOlderAt;

    // The unacknowledged frames, oldest first: from index 0 to unacknowledged - 1.
    private final long[] sequences = new long[WINDOW];
    private final long[] times = new long[WINDOW];
    private int unacknowledged;

    private long acknowledgedMax;
    private boolean isAnswering;

    private boolean waiting;
    private long waitingSince;

    /** Accepted frames that wait to be handled; and up to which the peer may take them for read. */
    private int unhandled;

    private long handled;
    private int owed;
    private long owedSince;

    /**
     * A peer of which nothing was heard yet.
     *
     * @param now  counts as the time at which it was heard last
     * @param sent the highest sequence that it may have had of this life of our own before it was forgotten
     */
    Link(long heartbeat, long now, long sent) {
        this.heartbeat = heartbeat;
        this.heardAt = now;
        this.sent = sent;
    }

    /** The newest life of the peer that was heard; 0 for none. */
    long incarnation() {
        return incarnation;
    }

    /** When the newest life was last heard; while {@link #incarnation} is 0, when this link began. */
    long heardAt() {
        return heardAt;
    }

    /**
     * Whether this life, which is not the newest, was heard within the support time. Then two processes run under one
     * id, or one was restarted quickly: both are heard, and the core supports the one that it supported.
     */
    boolean isLivingFormer(long life, long now, long support) {
        return life == formerIncarnation && isFormerAlive(now, support);
    }

    private boolean isFormerAlive(long now, long support) {
        return formerIncarnation > 0 && now - formerHeardAt < support;
    }

    /** The life that frames are meant for; 0, which is any, while two are heard. */
    long addressee(long now, long support) {
        return isFormerAlive(now, support) ? 0 : incarnation;
    }

    /** The highest version of frames that the newest life and this node both speak; 0 while no life was heard. */
    int common() {
        return common;
    }

    /** The highest sequence accepted from the newest life. */
    long received() {
        return received;
    }

    /** The highest sequence that the newest life is told to be read: what waits to be handled is not. */
    long acknowledging() {
        return unhandled == 0 ? received : handled;
    }

    /** Whether an accepted frame of the newest life waits to be handled. */
    boolean isPostponing() {
        return unhandled > 0;
    }

    /** The frame that was accepted last waits, and is not acknowledged before {@link #onHandled}. */
    void postpone(boolean hasBody) {
        if (unhandled++ == 0) {
            handled = received - 1;
        }
        owed -= hasBody ? 1 : 0;
    }

    /** The frame of that life, which is the first of those that wait, has been handled. */
    void onHandled(long life, long sequence, boolean hasBody, long now) {
        if (life != incarnation || unhandled == 0) {
            return;
        }
        unhandled--;
        handled = sequence;
        if (hasBody) {
            owe(now);
        }
    }

    /** The highest sequence sent by this life of our own. */
    long sent() {
        return sent;
    }

    /** Whether {@code sequence} is not newer than what was accepted. */
    boolean isStale(long sequence) {
        return sequence <= received;
    }

    /** Nothing was heard since a frame that was sent more than two heartbeats ago. */
    boolean isSilent(long now) {
        return waiting && now - waitingSince > 2 * heartbeat;
    }

    /** Whether the peer has acknowledged a frame of ours, and {@link #noteSilence} has not answered true since. */
    boolean isAnswering() {
        return isAnswering;
    }

    /** Whether a peer that answered has been silent for so long; then it counts as not answering from now on. */
    boolean noteSilence(long now, long nanos) {
        boolean isNews = isAnswering && waiting && now - waitingSince > nanos;
        isAnswering &= !isNews;
        return isNews;
    }

    /** Whether the gate lets a frame with a body pass. */
    boolean mayPass(long now) {
        return !isHeldBack(now) || probes < PROBES_PER_HEARTBEAT || now - probingSince >= heartbeat;
    }

    /** Whether the peer reads, and has not yet acknowledged half of what the gate lets pass: it asks for a pause. */
    boolean isBehind(long now) {
        return unacknowledged >= ACKNOWLEDGE_AT_ONCE && !isSilent(now);
    }

    private boolean isHeldBack(long now) {
        return unacknowledged == WINDOW || isSilent(now);
    }

    /** Whether the peer waits for a word of us: for longer than our next heartbeat takes, or since many frames. */
    boolean isAcknowledgementDue(long now) {
        return owed >= ACKNOWLEDGE_AT_ONCE || owed > 0 && now - owedSince >= heartbeat + heartbeat / 4;
    }

    boolean isAcknowledgementOwed() {
        return owed > 0;
    }

    /** The next frame leaves; answers its sequence. It also carries the acknowledgement that was owed. */
    long onSent(boolean hasBody, long now) {
        sent++;
        owed = 0;
        if (hasBody) {
            countProbe(now);
            if (!waiting) {
                waiting = true;
                waitingSince = now;
            }
            // A probe behind a full window is not kept: the acknowledgement of any later frame stands for it too.
            if (unacknowledged < WINDOW) {
                sequences[unacknowledged] = sent;
                times[unacknowledged++] = now;
            }
        }
        return sent;
    }

    private void countProbe(long now) {
        if (isHeldBack(now)) {
            if (probes == 0 || now - probingSince >= heartbeat) {
                probingSince = now;
                probes = 0;
            }
            probes++;
        }
    }

    /** Takes the number of a frame that is meant for no life whose acknowledgements count. */
    long onSentOutside() {
        return ++sent;
    }

    /** A refusal of an older life may leave once per heartbeat, and at most ten times per second. */
    boolean tryRefuseOlder(long now) {
        if (refusedOlder && now - refusedOlderAt < Math.max(heartbeat, REFUSAL_INTERVAL_MIN)) {
            return false;
        }
        refusedOlder = true;
        refusedOlderAt = now;
        return true;
    }

    /**
     * A life of the peer was heard that is at least as new as any before.
     *
     * @param spoken the highest version of frames that this life and this node both speak
     */
    void onHeard(long life, int spoken, long now) {
        if (life > incarnation) {
            if (incarnation > 0) {
                formerIncarnation = incarnation;
                formerHeardAt = heardAt;
                formerReceived = received;
            }
            incarnation = life;
            announced = false;
            received = 0;
            unhandled = 0;
            owed = 0;
            forgetSent();
        }
        heardAt = now;
        common = spoken;
    }

    /** Nothing was heard of the peer for so long that any life of it may follow. */
    void forgetLives() {
        incarnation = 0;
        formerIncarnation = 0;
    }

    /** A frame of the {@linkplain #isLivingFormer living former} life; answers whether it is new. */
    boolean acceptsOfFormer(long sequence, long now) {
        if (sequence <= formerReceived) {
            return false;
        }
        formerReceived = sequence;
        formerHeardAt = now;
        return true;
    }

    /** A frame of the newest life is accepted; answers whether it is that life's first. */
    boolean onAccepted(long sequence, long acknowledged, long now) {
        boolean first = !announced;
        announced = true;
        received = sequence;
        waiting = false;
        // A frame of the peer is no proof that it hears us; an acknowledgement of something new is.
        isAnswering |= acknowledged > acknowledgedMax;
        acknowledgedMax = Math.max(acknowledgedMax, acknowledged);
        // Justification for giving up frames that were not acknowledged in two heartbeats: they are lost, and whoever
        // talks to us shall get an answer at once, not after the window has moved.
        int settled = 0;
        while (settled < unacknowledged
                && (sequences[settled] <= acknowledged || now - times[settled] > 2 * heartbeat)) {
            settled++;
        }
        System.arraycopy(sequences, settled, sequences, 0, unacknowledged - settled);
        System.arraycopy(times, settled, times, 0, unacknowledged - settled);
        unacknowledged -= settled;
        return first;
    }

    /** A word to the peer is owed from now on. */
    void owe(long now) {
        if (owed++ == 0) {
            owedSince = now;
        }
    }

    /** This node took another incarnation: the peer knows nothing of what was sent. */
    void restart() {
        sent = 0;
        acknowledgedMax = 0;
        forgetSent();
    }

    private void forgetSent() {
        unacknowledged = 0;
        waiting = false;
    }
}
