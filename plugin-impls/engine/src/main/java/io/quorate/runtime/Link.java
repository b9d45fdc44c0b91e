package io.quorate.runtime;

import org.jspecify.annotations.Nullable;

/**
 * One node's link to one peer: which of the peer's lives is the present one, and the order of what it sends. Times are
 * nanoseconds of one clock, compared by difference.
 */
final class Link {

    private final long support;
    private final Window window;
    private final AckState acks;

    /** The life of the peer that was the last to show that it lives; null while none has. */
    private @Nullable Life present;
    /**
     * The highest sequence that was sent when the present life took its place. A life that acknowledges a higher one
     * was alive after that instant.
     */
    private long sentBefore;

    /** The highest sequence that is {@linkplain #age old}. A life that acknowledges a higher one was alive recently. */
    private long old;

    /** The highest sequence that had been sent at an instant, and that instant. */
    private long sentThen;

    private long then;

    /**
     * How long the present life has been heard since another one had its place, or was refused; a support time if it is
     * the first.
     */
    private long alone;

    /** The present life has said that it ends. */
    private boolean isGone;

    /** The life that was refused last, and since when. */
    private long refusedLife;

    private long refusedSince;
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
        STALE,
        /** It comes from a life that has not shown that it lives, or has no place because the present one has it. */
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
        this.support = support;
        this.heardAt = now;
        this.window = new Window(heartbeat, sent);
        this.acks = new AckState(heartbeat);
        this.sentBefore = sent;
        this.old = sent;
        this.sentThen = sent;
        this.then = now;
    }

    /** The frames in flight to the peer. */
    Window window() {
        return window;
    }

    /** The debts to the peer. */
    AckState acks() {
        return acks;
    }

    /** The present life of the peer; 0 while none is known. */
    long incarnation() {
        return present == null ? 0 : present.name;
    }

    /** When the present life was last heard to live; while {@link #incarnation} is 0, when this link began. */
    long heardAt() {
        return heardAt;
    }

    /** The highest version of frames that the present life and this node both speak; 0 while no life is known. */
    int common() {
        return common;
    }

    /** The highest sequence that the peer is told was read: frames that wait to be handled are not. */
    long acknowledging() {
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

    /**
     * Time has passed. Called before anything leaves. A frame is old after half a support time at the earliest, and one
     * and a half at the latest. So a dead life loses its place before its next life would end because of the refusals.
     */
    void age(long now) {
        if (now - then >= support / 2) {
            old = now - then < support ? sentThen : window.sent();
            sentThen = window.sent();
            then = now;
        }
    }

    /** The next frame leaves; answers its sequence. It also carries the acknowledgement that was owed. */
    long onSent(boolean hasBody, long now) {
        age(now);
        acks.onSent();
        return window.onSent(hasBody, now);
    }

    /**
     * Tells what a frame is. A life takes the place of the present one by acknowledging a frame that was sent after the
     * present one had taken its place: then it was alive after that one was born. Late frames of a former life
     * acknowledge nothing as late as that. So no names are compared: the answers of two lives show which is the later
     * one (docs/protocol.md#lives). The present life keeps its place for a support time after it was last heard to
     * live, or until its farewell (docs/protocol.md#one-process-per-id).
     *
     * @param life         from which it comes
     * @param namesUs      whether it is for this life of ours
     * @param acknowledged the highest frame of ours that has reached the life; 0 for none
     * @param held         the frame of that life that waits; 0 if none does
     */
    Verdict judge(long life, boolean namesUs, long sequence, long acknowledged, long held, long now) {
        if (!namesUs) {
            // The present life is asked too: a frame that names no life may have been for a former one of ours.
            return Verdict.UNPROVED;
        }
        if (present != null && life == present.name) {
            if (!present.accept(sequence)) {
                return Verdict.STALE;
            }
            if (isFresh(acknowledged)) {
                onHeard(now);
            }
            return Verdict.PRESENT;
        }
        if (!isFresh(acknowledged) || isTaken(life, now)) {
            // If it is fresh, both live, and what the other one promises before it is refused lasts for a support time.
            // The next frame of the present life adds the time from its last one, of which only the rest counts.
            alone = isFresh(acknowledged) && alone < support ? heardAt - now : alone;
            return Verdict.UNPROVED;
        }
        alone = present == null ? support : 0;
        present = new Life(life, sequence, held);
        isGone = false;
        heardAt = now;
        sentBefore = window.sent();
        refusedLife = 0;
        namedUs = 0;
        acks.onOtherLife();
        window.onOtherLife();
        return Verdict.FIRST;
    }

    /** Whether the frame was sent when the life had this one of ours for the present one. */
    boolean knewUsBefore(long life, long sequence) {
        return present != null && life == present.name && namedUs > 0 && sequence > namedUs;
    }

    /**
     * The peer refuses this life because of a frame. Answers whether that is news: refusals may be repeated, or held
     * back. After the first one of an old frame, refusals of other frames that were old by then count for nothing.
     * Otherwise an attacker could let them through in turns, and silence this node for long.
     */
    boolean onRefused(long sequence) {
        boolean isNews = sequence > refused && window.isLatest(sequence);
        refused = isNews ? Math.max(sequence, old) : refused;
        return isNews;
    }

    private boolean isTaken(long life, long now) {
        return present != null && life != present.name && !isGone && now - heardAt < support;
    }

    /** Returns whether that life is refused, because another one has its place. */
    boolean refuse(long life, long now) {
        boolean isTaken = isTaken(life, now);
        refusedSince = isTaken && life == refusedLife ? refusedSince : now;
        refusedLife = isTaken ? life : 0;
        return isTaken;
    }

    /**
     * Whether the present life and the refused one both live: the present one was heard for a support time after the
     * other one was refused first. Frames of a dead life that are late end before that.
     */
    boolean areTwo() {
        return refusedLife != 0 && heardAt - refusedSince >= support;
    }

    /** The present life ends. */
    void onFarewell() {
        isGone = true;
    }

    /**
     * Whether that life is believed in messages that only voters send. The present one is: the first one immediately, a
     * later one when it has been heard for as long as the promises of another one may last. Each could give its vote to
     * another contender.
     */
    boolean isBelieved(long life) {
        return life == incarnation() && alone >= support;
    }

    /** Whether a frame that has waited is new, and of the present life. */
    boolean acceptHeld(long life, long sequence) {
        return present != null && life == present.name && present.accept(sequence);
    }

    private void onHeard(long now) {
        // A long silence shows little, because both this node and the life may have stood still.
        alone += Math.min(now - heardAt, support / 2);
        heardAt = now;
    }

    /**
     * Whether the life that acknowledges this frame was alive recently, and after the present one had taken its place.
     * A frame of a dead life may be late, or an attacker may hold it back.
     */
    private boolean isFresh(long acknowledged) {
        return acknowledged > sentBefore && isRecent(acknowledged);
    }

    /** Whether the frame was sent recently. */
    boolean isRecent(long sequence) {
        return sequence > old;
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
