package io.quorate.spi;

import java.util.Objects;

/**
 * How an algorithm is to behave.
 *
 * @param variant     faithful or hardened
 * @param quorumGuard option Q: only a process that trusts a majority becomes or stays leader. Off under the quorum
 *                    lease, which does better
 * @param persistence option P: the algorithm saves its term. Off under the quorum lease, which has its own
 */
public record Options(Variant variant, boolean quorumGuard, boolean persistence) {

    /** The hardened variant without options Q and P: what runs under the quorum lease. */
    public static final Options HARDENED = new Options(Variant.HARDENED, false, false);

    /** The document to the letter. */
    public static final Options FAITHFUL = new Options(Variant.FAITHFUL, false, false);

    public Options {
        Objects.requireNonNull(variant, "variant");
    }
}
