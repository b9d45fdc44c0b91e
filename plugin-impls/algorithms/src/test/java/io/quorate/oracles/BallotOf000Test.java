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

    private static final Map<String, String> DECISIONS = Map.ofEntries(
            Map.entry("L19 stands inside the condition of L16", "docs/algorithms/ballot.md#quirks"),
            Map.entry("L7 begins with another delay", "docs/algorithms/ballot.md#timers"));

    private static final List<String> RULES = List.of(
            "L2 begins with round 1",
            "L4 begins with ballot 1",
            "L5 begins with a leader",
            "L6 begins with a lower ballot",
            "L8 forgets the timer",
            "L10 leaves the own entry out",
            "L11 includes equality",
            "L12 stops at equality",
            "L14 keeps the leader",
            "L16 compares the process only",
            "L17 keeps the greatest ballot",
            "L21 demands a majority",
            "L23 keeps the replies",
            "L24 stays in the round",
            "L27 shows the own ballot",
            "L28 forgets the delay",
            "L30 takes any ballot",
            "L31 ignores requests",
            "L32 answers with the greatest ballot",
            "L34 takes late replies",
            "L35 keeps one reply of each process",
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
