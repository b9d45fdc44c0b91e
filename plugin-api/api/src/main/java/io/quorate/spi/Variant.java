package io.quorate.spi;

/** Which reading of its document an algorithm follows. */
public enum Variant {
    /** What the document says, defects included: for tests of the document's claims. */
    FAITHFUL,
    /** Loses no election to lost messages, restarts or partitions that heal; the default. */
    HARDENED
}
