package io.quorate.spi;

import java.util.Objects;

/**
 * How an algorithm behaves.
 *
 * @param variant     faithful or hardened
 * @param quorumGuard option Q: only a process that trusts a majority becomes or stays leader. Off under the quorum
 *                    lease, which is a better guard
 * @param persistence option P: the algorithm saves its term. Off under the quorum lease, which keeps a term of its own
 */
public record Options(Variant variant, boolean quorumGuard, boolean persistence) {

    /** The hardened variant without options Q and P: what runs under the quorum lease. */
    public static final Options HARDENED = new Options(Variant.HARDENED, false, false);

    /** The faithful variant without options Q and P: the document to the letter. */
    public static final Options FAITHFUL = new Options(Variant.FAITHFUL, false, false);

    /**
     * Options.
     *
     * @param variant     not null
     * @param quorumGuard whether option Q is on
     * @param persistence whether option P is on
     * @throws NullPointerException if {@code variant} is null
     */
    public Options {
        Objects.requireNonNull(variant, "variant");
    }
}
