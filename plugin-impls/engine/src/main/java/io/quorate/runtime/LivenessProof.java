package io.quorate.runtime;

/**
 * Which life of a peer is believed in messages that only voters send. Two processes may be heard under the id of one
 * voter, and each could give its vote to another contender. So a life is believed while it is the only one that is
 * heard. Once it has been that for a support time, it stays believed beside others until it falls silent: the voters
 * tell a life that begins later to end (docs/protocol.md#lives). All frames of lives that have shown that they live
 * count.
 */
final class LivenessProof {

    /** How long a promise of a life may last. */
    private final long support;

    /** The life that was heard last, since when it has been the only one, and when it was heard; 0 before any was. */
    private long speaker;

    private long aloneSince;
    private long speakerAt;
    /** The one that was heard before it; 0 if it has been heard alone for a support time since. */
    private long other;
    /** Whether that one was heard again after another one, so that both live. */
    private boolean areTwo;
    /** The life that has said that it ends. */
    private long gone;

    private long believed;

    private long believedSince;
    private long believedAt;

    LivenessProof(long support) {
        this.support = support;
    }

    /** A life is heard, which has shown that it lives. */
    void onHeard(long life, long now) {
        // While others are known, a long silence shows nothing, because both may have stood still: it counts for half a
        // support time at most. It takes nothing away either. Otherwise a bad link would keep an honest voter from ever
        // being believed.
        long unknown = other != 0 ? Math.max(0, now - speakerAt - support / 2) : 0;
        areTwo = other != 0 && (areTwo || life == other);
        other = life == speaker ? other : speaker;
        aloneSince = life == speaker ? aloneSince + unknown : now;
        speaker = life;
        speakerAt = now;
        other = now - aloneSince < support ? other : 0;
        // Half of a support time only: a node that hears of the other life a little later or earlier must not believe
        // it while this node still believes the silent one.
        boolean isLapsed = now - believedAt > support / 2;
        boolean isYoung = now - believedSince < support;
        if (isLapsed || isYoung && life != believed) {
            believed = 0;
        }
        if (believed == 0 && other == 0) {
            believed = life;
            believedSince = now;
        }
        if (life == believed) {
            believedAt = now;
        }
    }

    /**
     * Whether this life is not believed, and another one lives that was heard within a support time. The one before a
     * life that is heard alone may have ended, and a process that starts again should not wait for it.
     */
    boolean hasRival(long life, long now) {
        long before = areTwo ? other : 0;
        long rival = life == speaker || speaker == gone ? before : speaker;
        return life != believed && rival != 0 && rival != gone && now - speakerAt < support;
    }

    /** A life says that it ends. */
    void onFarewell(long life) {
        gone = life;
        believed = life == believed ? 0 : believed;
    }

    /** Whether this life is believed in messages that only voters send. */
    boolean isBelieved(long life) {
        return life == believed;
    }
}
