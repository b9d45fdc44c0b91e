package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.testkit.simulation.Fault.Kind;
import io.quorate.testkit.simulation.Scenario.Setup;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a scenario is as text, and what random ones are made of. */
class ScenarioTest {

    private static final int STORMS = 2000;
    private static final Scenario CALM =
            new Scenario(1, Setup.DEFAULT, List.of(new Fault(0, Storm.FOR_EVER, Kind.CONTEND, "n1/a", 0)));

    @Test
    void everyStormIsReadAsItWasWritten() {
        for (long seed = 1; seed <= STORMS; seed++) {
            for (Scenario storm : List.of(
                    Storms.scenario(seed), Storms.overload(seed), Storm.withStandby(seed), Storm.withChanges(seed))) {
                assertThat(Scenario.parse(storm.toString())).isEqualTo(storm);
            }
        }
    }

    @Test
    void linesThatSayNothingAreLeftOut() {
        assertThat(Scenario.parse("# why\n\n" + CALM.toString().replace("\n", "\n  # \n  ")))
                .isEqualTo(CALM);
    }

    // Else what a kind is for would never be tried.
    @Test
    void everyKindOfFaultIsInTheFirstStorms() {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (long seed = 1; seed <= STORMS; seed++) {
            Storms.scenario(seed).faults().forEach(fault -> kinds.add(fault.kind()));
            Storm.withLies(seed, List.of(Liar.Who.values())).faults().forEach(fault -> kinds.add(fault.kind()));
            Storms.overload(seed).faults().forEach(fault -> kinds.add(fault.kind()));
            Storm.withDrains(seed).faults().forEach(fault -> kinds.add(fault.kind()));
            Storm.withChanges(seed).faults().forEach(fault -> kinds.add(fault.kind()));
            Storm.withSettings(seed, 20).faults().forEach(fault -> kinds.add(fault.kind()));
        }
        assertThat(kinds).containsExactlyInAnyOrder(Kind.values());
    }

    @Test
    void nothingStartsOrEndsAfterTheLastFaultOfAStorm() {
        for (long seed = 1; seed <= STORMS; seed++) {
            Scenario storm = Storms.scenario(seed);
            assertThat(storm.quietFrom()).isLessThanOrEqualTo(Scenario.FAULTS_END);
            assertThat(storm.faults())
                    .as("seed %d", seed)
                    .allMatch(fault -> fault.at() <= 1500 || fault.at() <= storm.quietFrom());
            assertThat(storm.faults())
                    .as("seed %d", seed)
                    .allMatch(fault -> fault.isForEver() || fault.until() <= storm.quietFrom());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindHasAText(Kind kind) {
        for (long amount : List.of(0L, 5L)) {
            String line = "at 100 until 200 " + kind + " n1-n2" + (amount == 0 ? "" : " " + amount);
            try {
                assertThat(Fault.parse(line)).hasToString(line).isEqualTo(new Fault(100, 200, kind, "n1-n2", amount));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining(kind + " " + amount + ": must be from");
            }
        }
    }

    // ---------------------------------------------------------------- errors name the value and the rule

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "at 1 until 2 cut|fault 'at 1 until 2 cut': must be 'at <ms> until <ms> <kind> <where> [<amount>]'",
                "from 1 until 2 cut n1-n2|must be 'at <ms> until <ms> <kind> <where> [<amount>]'",
                "at 1 until 2 cutt n1-n2|kind 'cutt': must be one of [cut, loss,",
                "at one until 2 cut n1-n2|'one': must be a whole number",
                "at 1 until 2 loss n1-n2 x|'x': must be a whole number",
                "at 3 until 2 cut n1-n2|fault from 3 to 2 ms: must begin at 0 or later, and not end before",
                "at -1 until 2 cut n1-n2|fault from -1 to 2 ms: must begin at 0 or later",
                "at 1 until 2 loss n1-n2|loss 0: must be from 1 to 100",
                "at 1 until 2 loss n1-n2 101|loss 101: must be from 1 to 100",
                "at 1 until 2 delay n1-n2 -1|delay -1: must be from 1 to 60000",
                "at 1 until 2 duplication n1-n2 101|duplication 101: must be from 1 to 100",
                // It would be toggled for ever at one instant.
                "at 1 until 2 flap n1-n2|flap 0: must be from 1 to",
                "at 1 until 2 slow n1 0|slow 0: must be from 1 to 60000",
                "at 1 until 2 clock n1 -100|clock -100: must be from -99 to 99",
                "at 1 until 2 crash n1 7|crash 7: must be from 0 to 0"
            })
    void whatIsNoFaultIsRefused(String line, String message) {
        assertThatThrownBy(() -> Fault.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "voters 3|voters|line 'voters': must be a name and a value, or a fault",
                "voters 3|voters three|'voters three': must be a whole number",
                "voters 3|voters 99999999999|'voters 99999999999': must be a small number",
                "voters 3|voters 0|voters 0: must be from 1 to 9",
                "voters 3|voters 10|voters 10: must be from 1 to 9",
                "voters 3|voters 3 4|'voters 3 4': must be a whole number",
                "voters 3|voter 3|scenario without 'voters'",
                "observers 0|observers -1|observers -1: must be from 0 to 9",
                "durable true|durable yes|'durable yes': must be one of [false, true]",
                "preempt false|preempt 0|'preempt 0': must be one of [false, true]",
                "rank JOIN_ORDER|rank join_order|'rank join_order': must be one of [JOIN_ORDER, ",
                "seed 1|seed x|'seed x': must be a whole number",
                "delay-max-micros 1000|delay-max-micros 199|delay-max-micros 199: must be at least 200",
                "drift 10|drift 10; colour blue|scenario with [colour]: nothing of that name",
                "drift 10|drift 10; drift 20|line 'drift 20': 'drift' must not be there twice"
            })
    void invalidScenarioIsRejected(String line, String changed, String message) {
        String text = CALM.toString();
        assertThat(text).contains(line + "\n");
        assertThatThrownBy(() -> Scenario.parse(text.replace(line + "\n", changed.replace("; ", "\n") + "\n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    // Times are the cluster's to check, and places are known when the cluster is.
    @ParameterizedTest
    @ValueSource(strings = {"heartbeat 0", "support 10", "drift 50"})
    void timesThatNoClusterMayHaveAreRefusedByIt(String changed) {
        String name = changed.substring(0, changed.indexOf(' '));
        Scenario scenario = Scenario.parse(CALM.toString().replaceFirst(name + " \\d+", changed));
        assertThatThrownBy(() -> Simulation.run(scenario, new HighestUp(), Simulation.Depth.NODE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be");
    }
}
