package io.quorate.runtime;

import io.quorate.core.support.Heartbeats;

/**
 * The gate for what one node sends to one peer: how much may be on its way without a word of the peer. Times are
 * nanoseconds of one clock, compared by difference.
 */
final class Window {

    /** Ends the allowance after this many frames without a word from the peer; below the 75 that fill a socket. */
    static final int LENGTH = 32;
    /**
     * A silent peer is sent at most so many frames per heartbeat. More than one, because a heartbeat that leaves early,
     * or what follows at once when some other peer is back, may be what saves a lease; and few, because nobody reads
     * them meanwhile, and a transport may have to connect for each.
     */
    static final int PROBES_PER_HEARTBEAT = Heartbeats.PROBES_PER_PERIOD;

    private final long heartbeat;
    private long sent;
    private long probingSince;
    private int probes;

    // The unacknowledged frames, oldest first: from index 0 to unacknowledged - 1.
    private final long[] sequences = new long[LENGTH];
    private final long[] times = new long[LENGTH];
    private int unacknowledged;

    private long acknowledgedMax;
    private boolean isAnswering;
    private boolean waiting;
    private long waitingSince;

    /** @param sent the highest sequence that the peer may have had of this life of our own before it was forgotten */
    Window(long heartbeat, long sent) {
        this.heartbeat = heartbeat;
        this.sent = sent;
    }

    /** The highest sequence sent by this life of our own. */
    long sent() {
        return sent;
    }

    /** Whether that frame was sent, and the peer has acknowledged none after it. */
    boolean isLatest(long sequence) {
        return acknowledgedMax <= sequence && sequence <= sent;
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
        return unacknowledged >= LENGTH / 2 && !isSilent(now);
    }

    private boolean isHeldBack(long now) {
        return unacknowledged == LENGTH || isSilent(now);
    }

    /** The next frame leaves; answers its sequence. */
    long onSent(boolean hasBody, long now) {
        sent++;
        if (hasBody) {
            if (isHeldBack(now)) {
                countProbe(now);
            }
            if (!waiting) {
                waiting = true;
                waitingSince = now;
            }
            // A probe behind a full window is not kept: the acknowledgement of any later frame stands for it too.
            if (unacknowledged < LENGTH) {
                sequences[unacknowledged] = sent;
                times[unacknowledged++] = now;
            }
        }
        return sent;
    }

    private void countProbe(long now) {
        if (probes == 0 || now - probingSince >= heartbeat) {
            probingSince = now;
            probes = 0;
        }
        probes++;
    }

    /** Takes the number of a frame that the gate does not count: of a question, an answer, or a farewell. */
    long onSentOutside() {
        return ++sent;
    }

    /** A frame of the present life is accepted. */
    void onHeard(long acknowledged, long now) {
        waiting = false;
        // A frame of the peer is no proof that it hears us; an acknowledgement of something new is.
        isAnswering |= acknowledged > acknowledgedMax;
        acknowledgedMax = Math.max(acknowledgedMax, acknowledged);
        // Justification for giving up frames that were not acknowledged in two heartbeats: they are lost, and a peer
        // that talks to us must get an answer at once, not after the window has moved.
        int settled = 0;
        while (settled < unacknowledged
                && (sequences[settled] <= acknowledged || now - times[settled] > 2 * heartbeat)) {
            settled++;
        }
        System.arraycopy(sequences, settled, sequences, 0, unacknowledged - settled);
        System.arraycopy(times, settled, times, 0, unacknowledged - settled);
        unacknowledged -= settled;
    }

    /** Another life of the peer takes its place, which has got nothing of all this. */
    void onOtherLife() {
        unacknowledged = 0;
    }
}
