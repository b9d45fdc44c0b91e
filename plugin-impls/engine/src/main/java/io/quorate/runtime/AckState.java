package io.quorate.runtime;

/** One node's debts to one peer: the acknowledgement of read frames, and the reading of waiting ones. */
final class AckState {

    /** The number of received frames that are acknowledged at once, before the sender runs into its window. */
    static final int AT_ONCE = Window.LENGTH / 2;

    private final long heartbeat;
    private int owed;
    private long owedSince;

    /** The accepted frames that wait to be handled; and the sequence up to which the peer may take frames for read. */
    private int unhandled;

    private long handled;

    AckState(long heartbeat) {
        this.heartbeat = heartbeat;
    }

    /** The peer is owed an answer from now on. */
    void owe(long now) {
        if (owed++ == 0) {
            owedSince = now;
        }
    }

    boolean isOwed() {
        return owed > 0;
    }

    /** Whether the peer waits for a word of us: for longer than our next heartbeat takes, or since many frames. */
    boolean isDue(long now) {
        return owed >= AT_ONCE || owed > 0 && now - owedSince >= heartbeat + heartbeat / 4;
    }

    /** A frame leaves, and carries the acknowledgement. */
    void onSent() {
        owed = 0;
    }

    /** Whether an accepted frame of the present life waits to be handled. */
    boolean isPostponing() {
        return unhandled > 0;
    }

    /** The frame that was accepted last waits; {@code before} is the highest accepted before it. */
    void postpone(boolean hasBody, long before) {
        if (unhandled++ == 0) {
            handled = before;
        }
        owed -= hasBody ? 1 : 0;
    }

    /** The first of the frames that wait has been handled. */
    void onHandled(long sequence, boolean hasBody, long now) {
        if (unhandled == 0) {
            return;
        }
        unhandled--;
        handled = Math.max(handled, sequence);
        if (hasBody) {
            owe(now);
        }
    }

    /** The highest sequence to acknowledge, of frames up to {@code accepted}; waiting frames are not acknowledged. */
    long read(long accepted) {
        return unhandled > 0 ? handled : accepted;
    }

    /** Another life of the peer takes its place, to which nothing is owed. */
    void onOtherLife() {
        owed = 0;
        unhandled = 0;
    }
}
