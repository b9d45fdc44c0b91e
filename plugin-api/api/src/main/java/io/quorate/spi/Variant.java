package io.quorate.spi;

/** Which reading of its document an algorithm follows. */
public enum Variant {
    /** The document to the letter, defects included. It serves tests of the document's claims. */
    FAITHFUL,
    /** The default: it loses no election to lost messages, restarts or partitions that heal. */
    HARDENED
}
