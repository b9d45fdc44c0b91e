package io.quorate.tla;

import io.quorate.spi.Options;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random runs of the shipped bully, with crashes and restarts, are behaviours of BullyF.tla and BullyH.tla. */
class BullyTraceTest {

    private static final TraceCheck FAITHFUL = check("TraceBullyF", Options.FAITHFUL);
    private static final TraceCheck HARDENED = check("TraceBullyH", Options.HARDENED);

    static final List<String> CONFIGURATIONS = List.of(FAITHFUL.configuration(), HARDENED.configuration());

    private static TraceCheck check(String configuration, Options options) {
        int size = Cfg.of(configuration).number("N");
        return new TraceCheck(
                configuration,
                seed -> BullyTrace.of(CountsTest.algorithm("bully"), options, size, seed, TraceCheck.STEPS));
    }

    @Tag("tla")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsOfTheFaithfulBullyAreBehavioursOfItsSpec(long seed) throws IOException {
        FAITHFUL.accepts(
                seed, "deliver", "suspect", "trust", "T", "T2", "crash", "restart", "ELECTION", "ALIVE", "VICTORY");
    }

    @Tag("tla")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsOfTheHardenedBullyAreBehavioursOfItsSpec(long seed) throws IOException {
        HARDENED.accepts(
                seed,
                "deliver",
                "suspect",
                "trust",
                "T",
                "T2",
                "HB",
                "crash",
                "restart",
                "ELECTION",
                "ALIVE",
                "VICTORY");
    }

    @Tag("tla")
    @Test
    void corruptedFaithfulRunsAreRejected() throws IOException {
        FAITHFUL.rejects(
                "deliver.*leader \\|-> 5, part \\|-> FALSE, sent \\|-> <<>>", "leader \\|-> 5", "leader |-> 4");
        FAITHFUL.rejects("\"T\".*VICTORY", "\\[to \\|-> 1, .*?\\]\\], ", "");
        FAITHFUL.rejects("suspect.*part \\|-> TRUE", "part \\|-> TRUE", "part |-> FALSE");
    }

    @Tag("tla")
    @Test
    void corruptedHardenedRunsAreRejected() throws IOException {
        // A victory without a new term (K2), or an accepted one that is not remembered.
        HARDENED.rejects("VICTORY", "term \\|-> [1-9]\\d*", "term |-> 0");
        HARDENED.rejects("deliver.*sent \\|-> <<>>, seen \\|-> <<[1-9]", "seen \\|-> <<\\d+", "seen |-> <<0");
        // A leader that is suspected stays (K1); the repetition of the victory is missing (K3).
        HARDENED.rejects("suspect.*leader \\|-> 0", "leader \\|-> 0", "leader |-> 5");
        HARDENED.rejects("\"HB\".*VICTORY", "sent \\|-> <<\\[.*\\]>>", "sent |-> <<>>");
    }
}
