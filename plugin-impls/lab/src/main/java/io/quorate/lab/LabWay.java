package io.quorate.lab;

import io.quorate.spi.Variant;

/** What decides who leads in a run of the lab. */
enum LabWay {
    /** The algorithm alone, as its document has it. */
    DOCUMENTED("documented", Variant.FAITHFUL),

    /** Its hardened variant alone. */
    HARDENED("hardened", Variant.HARDENED),

    /** The algorithm nominates, and the lease decides: how Quorate runs. */
    LEASE("under the lease", Variant.HARDENED);

    private final String words;
    private final Variant variant;

    LabWay(String words, Variant variant) {
        this.words = words;
        this.variant = variant;
    }

    /** As people read it. */
    String words() {
        return words;
    }

    Variant variant() {
        return variant;
    }
}
