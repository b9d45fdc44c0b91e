package io.quorate.lcr;

/**
 * The choices that the faithful variant leaves open; the hardened one ignores them.
 *
 * @param join      decision 1
 * @param resend003 decision 2: answer the own SELECTED with another one, as source 003 does; it ends only if processes
 *                  stop reading once they have seen one
 */
record LcrRules(Join join, boolean resend003) {

    /** What docs/algorithms/lcr.md#quirks decides. */
    static final LcrRules DEFAULT = new LcrRules(Join.START, false);

    /** The effect of a PROBE on a process that does not participate yet. */
    enum Join {
        /** It starts with its own PROBE, as in source 003. */
        START,
        /** It takes part and sends nothing, as source 001 reads. */
        FLAG
    }
}
