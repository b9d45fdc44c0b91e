package io.quorate.oracles;

import io.quorate.oracles.Comparison.Happening;
import io.quorate.oracles.Comparison.Subject;
import io.quorate.threephase.ThreePhaseAlgorithm;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Source 002 and three-phase. Agents crash, and links lose messages. */
class ThreePhaseOf002Test extends OracleTests {

    private static final Map<String, String> DECISIONS = Map.ofEntries(
            Map.entry("G1 numbers begin at 1", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G2 MESSAGE has list and timestamp", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G3 the last 32 arrivals count", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G4 the first freshness point", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G5 a member stores the list of a heartbeat", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G6 the first election starts round 0", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G7 START goes to all", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G8 the timer exceeds the window", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G9 the judge trusts itself", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G10 phase 3 begins when the judge prunes", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G10 COLLECT begins phase 3 at a member", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G11 the judge begins with its own list", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G12 an adoption extends the wait", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G13 the reporter gets the ACK", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G15 LEADER ends phase 3", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G15 the numbers of MESSAGE go on", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G17 the higher number wins", "docs/algorithms/three-phase.md#faithful"),
            Map.entry("G18 MESSAGE counts from the leader", "docs/algorithms/three-phase.md#faithful"));

    private static final List<String> RULES = List.of(
            "L5 counts MESSAGE",
            "L5 sends MESSAGE each T_hb",
            "L8 finds the leader wrong",
            "L11 ignores earlier numbers",
            "L13 adds T_D less T_hb",
            "L17 sends START",
            "L20 trusts everybody",
            "L21 restarts the timer",
            "L23 starts round 0",
            "L27 repeats each delta",
            "L28 waits for two delta",
            "L29 counts the last two delta",
            "L30 repeats OK",
            "L33 leaves a round that does not trust p",
            "L35 takes trust over",
            "L36 acknowledges",
            "L37 restarts the timer",
            "L39 starts the next round",
            "L41 acknowledges a later round",
            "L42 jumps to the round",
            "L44 answers an earlier round",
            "L46 drops priorities",
            "L52 collects",
            "L53 waits for two delta",
            "L54 needs a list",
            "L55 elects the highest priority",
            "L56 clears the timestamp",
            "L57 announces the leader",
            "L60 demands a later timestamp",
            "L62 takes the list over",
            "L62 leaves the timestamp",
            "L63 takes the list for the judge's",
            "L66 clears the timestamp",
            "L68 reports");

    ThreePhaseOf002Test() {
        super(
                new Subject(
                        ThreePhaseOf002::new,
                        new ThreePhaseAlgorithm(),
                        EnumSet.of(
                                Happening.CONFIGURED_LEADER,
                                Happening.SPREAD_STARTS,
                                Happening.SLOW_MESSAGES,
                                Happening.LOSS,
                                Happening.CRASH,
                                Happening.CHANGED_PRIORITIES)),
                DECISIONS,
                RULES,
                Set.of("MESSAGE", "START", "OK", "ACK", "COLLECT", "REPORT", "ACK_REPORT", "LEADER"),
                120_000);
    }
}
