package io.quorate.oracles;

import io.quorate.oracles.Comparison.Happening;
import io.quorate.oracles.Comparison.Subject;
import io.quorate.tokenring.TokenRingAlgorithm;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Source 004 and the token ring. */
class TokenRingOf004Test extends OracleTests {

    private static final Map<String, String> DECISIONS = Map.ofEntries(
            Map.entry("a start without a coordinator is noticed", "docs/algorithms/token-ring.md#faithful"),
            Map.entry("the edge of a suspicion counts", "docs/algorithms/token-ring.md#quirks"),
            Map.entry("the result ends taking part", "docs/algorithms/token-ring.md#faithful"),
            Map.entry("COORDINATOR needs another process", "docs/algorithms/token-ring.md#faithful"),
            Map.entry("its own ID may stand anywhere", "docs/algorithms/token-ring.md#quirks"),
            Map.entry("COORDINATOR circulates once", "docs/algorithms/token-ring.md#quirks"));

    private static final List<String> RULES = List.of(
            "only a dead coordinator is noticed",
            "any process that notices begins",
            "a participant begins",
            "a successor that is down is passed over",
            "each sender adds its own ID",
            "the own ID goes to the end",
            "COORDINATOR is passed on",
            "the list names the members",
            "the highest of the list leads");

    TokenRingOf004Test() {
        super(
                new Subject(
                        TokenRingOf004::new,
                        new TokenRingAlgorithm(),
                        EnumSet.of(
                                Happening.SHUFFLED_RING,
                                Happening.CONFIGURED_LEADER,
                                Happening.SPREAD_STARTS,
                                Happening.SLOW_MESSAGES,
                                Happening.CRASH,
                                Happening.RESTART,
                                Happening.DETECTOR,
                                Happening.FALSE_SUSPICION)),
                DECISIONS,
                RULES,
                Set.of("ELECTION", "COORDINATOR"),
                18_000);
    }
}
