package io.quorate.tla;

import io.quorate.spi.Options;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random runs of the shipped faithful three-phase election, with all faults, are behaviours of ThreePhase.tla. */
class ThreePhaseTraceTest {

    private static final TraceCheck FAITHFUL = check("TraceThreePhase", Options.FAITHFUL);

    static final List<String> CONFIGURATIONS = List.of(FAITHFUL.configuration());

    private static TraceCheck check(String configuration, Options options) {
        int size = Cfg.of(configuration).number("N");
        return new TraceCheck(
                configuration,
                seed -> ThreePhaseTrace.of(CountsTest.algorithm("three-phase"), options, size, seed, TraceCheck.STEPS));
    }

    @Tag("tla")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsOfTheFaithfulElectionAreBehavioursOfItsSpec(long seed) throws IOException {
        FAITHFUL.accepts(
                seed,
                "deliver",
                "lose",
                "HB",
                "FRESH",
                "TASK0",
                "TMR",
                "P3",
                "update",
                "crash",
                "restart",
                "MONITORING",
                "ELECTING",
                "MESSAGE",
                "START",
                "OK",
                "ACK",
                "COLLECT",
                "REPORT",
                "LEADER");
    }

    @Tag("tla")
    @Test
    void corruptedRunsAreRejected() throws IOException {
        // The judge elects another than the best of the list (L55), or trusts processes without an ACK (L29).
        FAITHFUL.rejects("\"P3\".*\"LEADER\"", "(\"LEADER\", leader \\|-> )\\d", "$10");
        FAITHFUL.rejects("\"TASK0\".*trust \\|-> \\{\\d\\}, heard", "trust \\|-> \\{\\d\\}", "trust |-> {1, 2, 3, 4}");
        // No ACK for an OK (L36); a report of another list (L68).
        FAITHFUL.rejects(
                "\"deliver\".*sent \\|-> <<\\[to \\|-> \\d, m \\|-> \\[type \\|-> \"ACK\"",
                "sent \\|-> .*>>",
                "sent |-> <<>>");
        FAITHFUL.rejects("\"deliver\".*\"REPORT\"", "(\"REPORT\", list \\|-> <<)\\d", "$19");
        // A change that does not count the timestamp; a new life in another round than the first (L23).
        FAITHFUL.rejects("\"update\"", "timestamp \\|-> 1,", "timestamp |-> 0,");
        FAITHFUL.rejects("\"restart\"", ", r \\|-> 0", ", r |-> 1");
    }
}
