package io.quorate.tla;

import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random runs of the shipped ballot election, with crashes, restarts and loss, are behaviours of Ballot.tla. */
class BallotTraceTest {

    private static final TraceCheck HARDENED =
            check("TraceBallot_hardened", new Options(Variant.HARDENED, false, true));
    private static final TraceCheck FAITHFUL = check("TraceBallot_faithful", Options.FAITHFUL);

    static final List<String> CONFIGURATIONS = List.of(HARDENED.configuration(), FAITHFUL.configuration());

    private static final String TOKEN = "<<\\d+, \\d+, \\d+>>";

    private static TraceCheck check(String configuration, Options options) {
        int size = Cfg.of(configuration).number("N");
        return new TraceCheck(
                configuration,
                seed -> BallotTrace.of(CountsTest.algorithm("ballot"), options, size, seed, TraceCheck.STEPS));
    }

    private static void accepts(TraceCheck check, long seed) throws IOException {
        check.accepts(
                seed,
                "end",
                "deliver",
                "lose",
                "crash",
                "restart",
                "REQUEST",
                "REPLY",
                "BALLOTSTATE",
                "HARDENING",
                "ROUNDLENGTH",
                "PATIENCE",
                "NOMINATE");
    }

    @Tag("tla")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsOfTheHardenedElectionAreBehavioursOfItsSpec(long seed) throws IOException {
        accepts(HARDENED, seed);
    }

    @Tag("tla")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsOfTheFaithfulElectionAreBehavioursOfItsSpec(long seed) throws IOException {
        accepts(FAITHFUL, seed);
    }

    @Tag("tla")
    @Test
    void corruptedRunsAreRejected() throws IOException {
        // The wrong leader is indicated; the indication that there is none is missing.
        HARDENED.rejects("NOMINATE", "nominee \\|-> [1-4],", "nominee |-> 5,");
        HARDENED.rejects("NOMINATE.*<<0, 0, 0>>\\]>>\\]", "said \\|-> <<.*>>", "said |-> <<>>");
        // One process is not asked (L25-27); a reply gives bmax for the own ballot (L32).
        HARDENED.rejects("\"end\".*REQUEST.*REQUEST", "(sent \\|-> <<)\\[from.*?\\]\\], ", "$1");
        HARDENED.rejects(
                "\"deliver\".*\"REQUEST\"", "(bmax \\|-> (" + TOKEN + ").*REPLY.*ballot \\|-> )" + TOKEN, "$1$2");
        // A ballot that was heard is not remembered (L30-31); a quorum that was missed is not (H8).
        HARDENED.rejects("\"deliver\".*\"REQUEST\"", "(BALLOTSTATE.*bmax \\|-> )" + TOKEN, "$1<<0, 1, 1>>");
        HARDENED.rejects(
                "\"end\".*heardQuorum \\|-> FALSE, length",
                "heardQuorum \\|-> FALSE, length",
                "heardQuorum |-> TRUE, length");
        // A new life forgets what the former one saved (H9).
        HARDENED.rejects("\"restart\"", "bmax \\|-> " + TOKEN, "bmax |-> <<0, 1, 1>>");
        // F follows another ballot than the greatest (L10); an answer is not kept (L35).
        FAITHFUL.rejects("NOMINATE", "(BALLOTSTATE.*leader \\|-> )<<\\d+,", "$1<<99,");
        FAITHFUL.rejects("\"deliver\".*ballots \\|-> <<\\[", "ballots \\|-> <<.*?\\]>>", "ballots |-> <<>>");
    }
}
