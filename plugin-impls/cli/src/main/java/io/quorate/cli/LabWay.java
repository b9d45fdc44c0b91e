package io.quorate.cli;

import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.Experiment.Mode;

/** What decides who leads in a run of the lab. */
enum LabWay {
    /** The algorithm alone, as its document has it. */
    DOCUMENTED("documented", Mode.UNLEASED_FAITHFUL, Variant.FAITHFUL),

    /** Its hardened variant alone. */
    HARDENED("hardened", Mode.UNLEASED_HARDENED, Variant.HARDENED),

    /** The algorithm nominates, and the lease decides: how Quorate runs. */
    LEASE("under the lease", Mode.LEASED, Variant.HARDENED);

    private final String words;
    private final Mode mode;
    private final Variant variant;

    LabWay(String words, Mode mode, Variant variant) {
        this.words = words;
        this.mode = mode;
        this.variant = variant;
    }

    /** As people read it. */
    String words() {
        return words;
    }

    Mode mode() {
        return mode;
    }

    Variant variant() {
        return variant;
    }
}
