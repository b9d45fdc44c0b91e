package io.quorate.runtime;

import org.jspecify.annotations.Nullable;

/**
 * One node's link to one peer: which of the peer's lives is the present one, and the order of what it sends. Times are
 * nanoseconds of one clock, compared by difference.
 */
final class Link {

    private final long heartbeat;
    private final LivenessProof voice;
    private final Window window;
    private final AckState acks;

    /** The life of the peer that was the last to show that it lives; null while none has. */
    private @Nullable Life present;
    /** The one before. */
    private @Nullable Life former;
    /**
     * The highest sequence that was sent when the present life took its place. A life that acknowledges a higher one
     * was alive after that instant.
     */
    private long sentBefore;

    /** Whether the former life has shown that it lives beside the present one, and when last. */
    private boolean isDouble;

    private long doubleAt;
    /**
     * The highest frame of the present life that names this life of ours and is no question: a life that asks may not
     * know ours.
     */
    private long namedUs;

    private long heardAt;

    /** The highest frame to the peer that it has refused. */
    private long refused;

    /** The highest version of frames that the present life and this node both speak. */
    private int common;

    /** One life of the peer: its name, and which of its frames were accepted. */
    private static final class Life {
        private final long name;
        private long highest;
        /** The highest one before the frame that was accepted last. */
        private long highestBefore;
        /** Bit i stands for the frame that is i below the highest. */
        private long accepted = ~0;

        /**
         * @param first the frame by which it takes its place; earlier ones may have been accepted, and forgotten
         * @param held  the one before it that waits, and was not; 0 if none does
         */
        private Life(long name, long first, long held) {
            this.name = name;
            this.highest = first;
            long behind = first - held;
            if (held > 0 && 0 < behind && behind < Long.SIZE) {
                accepted &= ~(1L << behind);
            }
        }

        /** Whether the frame is new. Those too far below the highest one cannot be told from copies. */
        private boolean accept(long sequence) {
            long behind = highest - sequence;
            if (behind >= Long.SIZE || behind >= 0 && (accepted >>> behind & 1) == 1) {
                return false;
            }
            highestBefore = highest;
            if (behind < 0) {
                accepted = -behind >= Long.SIZE ? 0 : accepted << -behind;
                highest = sequence;
            }
            accepted |= 1L << highest - sequence;
            return true;
        }
    }

    /** The kind of a frame, by the life that it comes from. */
    enum Verdict {
        /** It comes from the present life. */
        PRESENT,
        /** It comes from a life that has become the present one by this frame. */
        FIRST,
        /** It comes from the life before, which is alive too: two processes run under one id. */
        DOUBLE,
        STALE,
        /** It comes from a life that has not shown that it lives. */
        UNPROVED
    }

    /**
     * A peer that was not heard yet.
     *
     * @param support how long a promise of the peer may last
     * @param now     counts as the time at which it was heard last
     * @param sent    the highest sequence that it may have had of this life of our own before it was forgotten
     */
    Link(long heartbeat, long support, long now, long sent) {
        this.heartbeat = heartbeat;
        this.voice = new LivenessProof(support);
        this.heardAt = now;
        this.window = new Window(heartbeat, sent);
        this.acks = new AckState(heartbeat);
        this.sentBefore = sent;
    }

    /** What is on its way to the peer. */
    Window window() {
        return window;
    }

    /** What the peer is owed. */
    AckState acks() {
        return acks;
    }

    /** The present life of the peer; 0 while none is known. */
    long incarnation() {
        return present == null ? 0 : present.name;
    }

    /** When the present life was heard last; while {@link #incarnation} is 0, when this link began. */
    long heardAt() {
        return heardAt;
    }

    /** The other one of two lives that are heard; 0 as a rule. */
    long twin(long now, long support) {
        return former != null && isDouble && now - doubleAt < support ? former.name : 0;
    }

    /** The highest version of frames that the present life and this node both speak; 0 while no life is known. */
    int common() {
        return common;
    }

    /** The highest sequence that the peer is told was read: frames that wait to be handled are not. */
    long acknowledging(long life) {
        if (former != null && life == former.name) {
            return former.highest;
        }
        return acks.read(present == null ? 0 : present.highest);
    }

    /** The frame that was accepted last waits, and is not acknowledged before {@link #onHandled}. */
    void postpone(boolean hasBody) {
        acks.postpone(hasBody, present == null ? 0 : present.highestBefore);
    }

    /** The frame of that life, which is the first of those that wait, has been handled. */
    void onHandled(long life, long sequence, boolean hasBody, long now) {
        if (life == incarnation()) {
            acks.onHandled(sequence, hasBody, now);
        }
    }

    /** Whether a frame with a body may leave. */
    boolean mayPass(long now) {
        // The present life may stand still, and a twin that is heard must not suffer from that.
        return isTwinHeard(now) || window.mayPass(now);
    }

    private boolean isTwinHeard(long now) {
        return isDouble && now - doubleAt <= 2 * heartbeat;
    }

    /** The next frame leaves; answers its sequence. It also carries the acknowledgement that was owed. */
    long onSent(boolean hasBody, long now) {
        acks.onSent();
        return window.onSent(hasBody, isTwinHeard(now), now);
    }

    /**
     * Tells what a frame is. A life takes the place of the present one by acknowledging a frame that was sent after the
     * present one had taken its place: then it was alive after that one was born. Late frames of a former life
     * acknowledge nothing as late as that. So no names are compared, and no clock is read: the answers of two lives
     * show which is the later one (docs/protocol.md#lives).
     *
     * @param life         from which it comes
     * @param namesUs      whether it is for this life of ours
     * @param acknowledged the highest frame of ours that has reached the life; 0 for none
     * @param held         the frame of that life that waits; 0 if none does
     * @param support      for how long a life that is silent keeps its place from one that is not
     */
    Verdict judge(long life, boolean namesUs, long sequence, long acknowledged, long held, long support, long now) {
        if (!namesUs) {
            // The present life is asked too: a frame that names no life may have been for a former one of ours.
            return Verdict.UNPROVED;
        }
        if (present != null && life == present.name) {
            return heard(present.accept(sequence), Verdict.PRESENT, now);
        }
        if (!isFresh(acknowledged)) {
            return Verdict.UNPROVED;
        }
        Life known = former != null && life == former.name ? former : null;
        if (known != null && !known.accept(sequence)) {
            return Verdict.STALE;
        }
        if (known != null && now - heardAt < support) {
            isDouble = true;
            doubleAt = now;
            return Verdict.DOUBLE;
        }
        former = present;
        present = known == null ? new Life(life, sequence, held) : known;
        sentBefore = window.sent();
        namedUs = 0;
        isDouble = false;
        acks.onOtherLife();
        window.onOtherLife();
        return heard(true, Verdict.FIRST, now);
    }

    /** Whether the frame was sent when the life had this one of ours for the present one. */
    boolean knewUsBefore(long life, long sequence) {
        return present != null && life == present.name && namedUs > 0 && sequence > namedUs;
    }

    /** The peer refuses this life because of a frame. Answers whether that is news; anybody may repeat the former ones. */
    boolean onRefused(long sequence) {
        boolean isNews = sequence > refused && sequence <= window.sent();
        refused = isNews ? sequence : refused;
        return isNews;
    }

    /** The life that is believed, among those that are heard. */
    LivenessProof voice() {
        return voice;
    }

    /** Whether a frame that has waited is new, of one of the lives that have shown that they live. */
    boolean acceptHeld(long life, long sequence) {
        Life known = present != null && life == present.name ? present : former;
        return known != null && life == known.name && known.accept(sequence);
    }

    /** A copy proves nothing about the present: the peer does not count as heard. */
    private Verdict heard(boolean isNew, Verdict ifNew, long now) {
        heardAt = isNew ? now : heardAt;
        return isNew ? ifNew : Verdict.STALE;
    }

    /** Whether the life that acknowledges this frame was alive after the present life had taken its place. */
    private boolean isFresh(long acknowledged) {
        return acknowledged > sentBefore;
    }

    /**
     * A frame of the present life is accepted.
     *
     * @param spoken the highest version of frames that this life and this node both speak
     */
    void onAccepted(long sequence, boolean asks, long acknowledged, int spoken, long now) {
        namedUs = asks ? namedUs : Math.max(namedUs, sequence);
        common = spoken;
        window.onHeard(acknowledged, now);
    }
}
