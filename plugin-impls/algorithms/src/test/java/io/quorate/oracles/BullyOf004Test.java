package io.quorate.oracles;

import io.quorate.bully.BullyAlgorithm;
import io.quorate.oracles.Comparison.Happening;
import io.quorate.oracles.Comparison.Subject;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Source 004 and the bully. */
class BullyOf004Test extends OracleTests {

    private static final Map<String, String> DECISIONS = Map.ofEntries(
            Map.entry("a start without a coordinator is noticed", "docs/algorithms/bully.md#faithful"),
            Map.entry("the highest does not wait", "docs/algorithms/bully.md#faithful"),
            Map.entry("the job is done for a time", "docs/algorithms/bully.md#faithful"),
            Map.entry("a process that is done holds none", "docs/algorithms/bully.md#faithful"),
            Map.entry("the wait for an OK ends", "docs/algorithms/bully.md#timers"),
            Map.entry("the wait for COORDINATOR ends", "docs/algorithms/bully.md#timers"));

    private static final List<String> RULES = List.of(
            "noticing starts nothing",
            "only a dead coordinator is noticed",
            "the next higher one is skipped",
            "suspects are not told",
            "silence wins nothing",
            "a higher one answers with COORDINATOR",
            "a higher one never holds an election",
            "a higher one holds two elections",
            "an OK is ignored",
            "COORDINATOR names the highest");

    BullyOf004Test() {
        super(
                new Subject(
                        BullyOf004::new,
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
                Set.of("ELECTION", "OK", "COORDINATOR"),
                25_000);
    }
}
