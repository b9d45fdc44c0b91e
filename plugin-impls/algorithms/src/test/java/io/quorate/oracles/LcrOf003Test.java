package io.quorate.oracles;

import io.quorate.lcr.LcrAlgorithm;
import io.quorate.oracles.Comparison.Happening;
import io.quorate.oracles.Comparison.Subject;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Source 003 and LCR. Nothing fails there, and a message may be received again and again. */
class LcrOf003Test extends OracleTests {

    private static final Map<String, String> DECISIONS =
            Map.ofEntries(Map.entry("the second phase ends at its owner", "docs/algorithms/lcr.md#quirks"));

    private static final List<String> RULES = List.of(
            "send(succ, self, False)",
            "if id == self",
            "send(succ, id, True)",
            "elif id > self",
            "send(succ, id, found)",
            "working = False");

    LcrOf003Test() {
        super(
                new Subject(
                        LcrOf003::new,
                        new LcrAlgorithm(),
                        EnumSet.of(Happening.SHUFFLED_RING, Happening.SLOW_MESSAGES, Happening.REPETITION)),
                DECISIONS,
                RULES,
                Set.of("False", "True"),
                30_000);
    }
}
