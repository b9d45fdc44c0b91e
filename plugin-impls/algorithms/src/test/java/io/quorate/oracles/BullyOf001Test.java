package io.quorate.oracles;

import io.quorate.bully.BullyAlgorithm;
import io.quorate.oracles.Comparison.Happening;
import io.quorate.oracles.Comparison.Subject;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Source 001 and the bully. */
class BullyOf001Test extends OracleTests {

    private static final Map<String, String> DECISIONS = Map.ofEntries(
            Map.entry("a start without a leader is a recovery", "docs/algorithms/bully.md#faithful"),
            Map.entry("the highest is that of all", "docs/algorithms/bully.md#faithful"),
            Map.entry("only the first alive counts", "docs/algorithms/bully.md#faithful"),
            Map.entry("a Victory ends the waiting", "docs/algorithms/bully.md#faithful"),
            Map.entry("rule 2 waits for another time", "docs/algorithms/bully.md#timers"),
            Map.entry("rule 3 waits for another time", "docs/algorithms/bully.md#timers"),
            Map.entry("the edge of a suspicion counts", "docs/algorithms/bully.md#quirks"));

    private static final List<String> RULES = List.of(
            "any suspicion starts an election",
            "a participant starts again",
            "rule 1 asks all",
            "rule 1 spares suspects",
            "rule 2 tells lower processes only",
            "rule 3 never restarts",
            "rule 3 ends the election",
            "rule 4 answers nothing",
            "rule 4 starts in any case",
            "rule 4 spares the leader",
            "rule 5 refuses lower processes");

    BullyOf001Test() {
        super(
                new Subject(
                        BullyOf001::new,
                        new BullyAlgorithm(),
                        EnumSet.of(
                                Happening.CONFIGURED_LEADER,
                                Happening.SPREAD_STARTS,
                                Happening.SLOW_MESSAGES,
                                Happening.CRASH,
                                Happening.RESTART,
                                Happening.DETECTOR,
                                Happening.FALSE_SUSPICION)),
                DECISIONS,
                RULES,
                Set.of("Election", "alive", "Victory"),
                25_000);
    }
}
