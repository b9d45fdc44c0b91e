package io.quorate.lab;

import io.quorate.spi.Variant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The way in which a run of the lab decides on the leader. */
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

    /** As they are typed. */
    static String names(List<LabWay> ways) {
        return ways.stream().map(way -> way.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
    }

    Variant variant() {
        return variant;
    }
}
