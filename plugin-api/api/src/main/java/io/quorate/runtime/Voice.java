package io.quorate.runtime;

/**
 * Which life of a peer is believed what only voters may say. Of two processes under the id of a voter both may be heard,
 * and each could give its vote to another: so a life is believed while it is the only one that is heard. Once it has
 * been that for a support time, it goes on to be believed beside others, until it falls silent: whoever begins later is
 * told by the voters to end (docs/protocol.md#lives). All frames of lives that have shown that they live count.
 */
final class Voice {

    /** How long a promise may last that a life has given. */
    private final long support;

    /** The life that was heard last, since when no other one was heard, and when it was; 0 before any was. */
    private long speaker;

    private long aloneSince;
    private long speakerAt;
    /** Whether another one was heard, and since then this one not yet alone for a support time. */
    private boolean areOthersKnown;

    /** The life that is believed; 0 if none is. */
    private long believed;

    private long believedSince;
    private long believedAt;

    Voice(long support) {
        this.support = support;
    }

    /** A life is heard, which has shown that it lives. */
    void onHeard(long life, long now) {
        // While others are known, a long silence shows nothing, for both may have stood still: it counts for half a
        // support
        // time at most. It takes nothing away either, or a bad link would keep an honest voter from ever being
        // believed.
        long unknown = areOthersKnown ? Math.max(0, now - speakerAt - support / 2) : 0;
        areOthersKnown |= speaker != 0 && life != speaker;
        aloneSince = life == speaker ? aloneSince + unknown : now;
        speaker = life;
        speakerAt = now;
        areOthersKnown &= now - aloneSince < support;
        // Half of a support time only: whoever hears of the other life a little later or earlier than this node
        // shall not believe it while this node still believes the one that was silent.
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

    /** Whether this life is believed what only voters may say. */
    boolean isBelieved(long life) {
        return life == believed;
    }
}
