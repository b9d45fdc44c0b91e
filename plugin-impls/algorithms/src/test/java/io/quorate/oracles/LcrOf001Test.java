package io.quorate.oracles;

import io.quorate.lcr.LcrAlgorithm;
import io.quorate.oracles.Comparison.Happening;
import io.quorate.oracles.Comparison.Subject;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Source 001 and LCR. */
class LcrOf001Test extends OracleTests {

    private static final Map<String, String> DECISIONS = Map.ofEntries(
            Map.entry("a start without a leader is noticed", "docs/algorithms/lcr.md#faithful"),
            Map.entry("the edge of a suspicion counts", "docs/algorithms/lcr.md#faithful"),
            Map.entry("the neighbour is the next alive", "docs/algorithms/lcr.md#assumptions"),
            Map.entry("a joining process probes", "docs/algorithms/lcr.md#quirks"));

    private static final List<String> RULES = List.of(
            "only a dead leader is noticed",
            "a participant starts again",
            "a probe sets participating",
            "the own probe sets participating",
            "the highest wins",
            "the winner is selected",
            "the winner participates until SELECTED is back",
            "a lower probe is discarded",
            "SELECTED ends participation",
            "SELECTED names the leader",
            "SELECTED is sent on",
            "SELECTED ends at its owner");

    LcrOf001Test() {
        super(
                new Subject(
                        LcrOf001::new,
                        new LcrAlgorithm(),
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
                Set.of("PROBE", "SELECTED"),
                17_000);
    }
}
