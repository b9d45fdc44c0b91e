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
    /** Whether another life was heard, and this one has not been heard alone for a support time since. */
    private boolean areOthersKnown;

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
        long unknown = areOthersKnown ? Math.max(0, now - speakerAt - support / 2) : 0;
        areOthersKnown |= speaker != 0 && life != speaker;
        aloneSince = life == speaker ? aloneSince + unknown : now;
        speaker = life;
        speakerAt = now;
        areOthersKnown &= now - aloneSince < support;
        // Half of a support time only: a node that hears of the other life a little later or earlier must not believe
        // it while this node still believes the silent one.
        boolean isLapsed = now - believedAt > support / 2;
        boolean isYoung = now - believedSince < support;
        if (isLapsed || isYoung && life != believed) {
            believed = 0;
        }
        if (believed == 0 && !areOthersKnown) {
            believed = life;
            believedSince = now;
        }
        if (life == believed) {
            believedAt = now;
        }
    }

    /** Whether this life is believed in messages that only voters send. */
    boolean isBelieved(long life) {
        return life == believed;
    }
}
