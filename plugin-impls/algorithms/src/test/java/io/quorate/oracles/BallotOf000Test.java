package io.quorate.oracles;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.oracles.Comparison.Happening;
import io.quorate.oracles.Comparison.Subject;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Source 000 and the ballot election. Its links lose nothing; rounds may be too short, and Init may come again. */
class BallotOf000Test extends OracleTests {

    private static final Map<String, String> DECISIONS =
            Map.ofEntries(Map.entry("L19 stands inside the condition of L16", "docs/algorithms/ballot.md#quirks"));

    private static final List<String> RULES = List.of(
            "L10 leaves the own entry out",
            "L11 includes equality",
            "L12 stops at equality",
            "L14 keeps the leader",
            "L16 compares the process only",
            "L17 keeps the greatest ballot",
            "L21 demands a majority",
            "L23 keeps the replies",
            "L27 shows the own ballot",
            "L28 forgets the delay",
            "L31 ignores requests",
            "L32 answers with the greatest ballot",
            "L34 takes late replies",
            "L37 never waits longer");

    BallotOf000Test() {
        super(
                new Subject(
                        BallotOf000::new,
                        new BallotAlgorithm(),
                        EnumSet.of(
                                Happening.SPREAD_STARTS, Happening.SLOW_MESSAGES, Happening.CRASH, Happening.RESTART)),
                DECISIONS,
                RULES,
                Set.of("HEARTBEATREQUEST", "HEARTBEATREPLY"),
                150_000);
    }
}
