package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A scenario that somebody wrote: what may be left out, and where it is wrong. */
class ScenarioFileTest {

    private static final int STORMS = 300;

    // What a failed test prints is read, whatever stands in it.
    @Test
    void everyStormIsReadAsItWasWritten() {
        for (long seed = 1; seed <= STORMS; seed++) {
            for (Scenario storm : List.of(
                    Storms.scenario(seed),
                    Storms.overload(seed),
                    Storm.withStandby(seed),
                    Storm.withChanges(seed),
                    Storm.withDrains(seed),
                    Storm.withSettings(seed, 20),
                    Storm.withLies(seed, List.of(Liar.Who.values())))) {
                assertThat(ScenarioFile.parse(storm.toString())).isEqualTo(storm);
            }
        }
    }

    @Test
    void publishedScenariosAreReadAsTheSimulatorReadsThem() {
        assertThat(PublishedScenario.ofLab()).hasSizeGreaterThan(20);
        for (PublishedScenario published : PublishedScenario.ofLab()) {
            assertThat(ScenarioFile.parse(published.text(3))).isEqualTo(Scenario.parse(published.text(3)));
        }
    }

    @Test
    void oneFaultIsEnough() {
        PublishedScenario crash = PublishedScenario.all().stream()
                .filter(one -> one.name().equals("crash"))
                .findFirst()
                .orElseThrow();
        Scenario parsed = ScenarioFile.parse("# the leader\n\n   at 5000 until 15000 crash leader");
        assertThat(parsed.setup()).isEqualTo(crash.scenario(1).setup());
        assertThat(parsed.faults())
                .containsExactlyInAnyOrderElementsOf(crash.scenario(1).faults());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '"',
            value = {
                "at 1 until 2 crsh n1            ! line 2, column 14: 'crsh': must be one of ! did you mean 'crash'?",
                "at 1 until 2 crash n9           ! line 2, column 20: 'n9': must be one of ! '*'",
                "at 1 until 2 cut n1-n2,n8       ! line 2, column 24: 'n8': must be one of ! leader",
                "at 1 until 2 cut n1             ! line 2, column 18: 'n1': must be links ! 'n1-n2,n3'",
                "at 1 until 2 contend n1         ! line 2, column 22: 'n1': must be a node and a path ! 'n1/a'",
                "at 1 until 2 lost_at_work x>n1  ! line 2, column 27: 'x>n1': must be ! 'crash>n1'",
                "at x until 2 crash n1           ! line 2, column 4: 'x': must be a whole number ! x",
                "at -1 until 2 crash n1          ! line 2, column 4: '-1': must be from 0 to 999999 ms ! -1",
                "at 1 until 9223372036854775807 crash n1 ! line 2, column 12: '9223372036854775807': ! 999999 ms",
                "at 3 until 2 crash n1           ! line 2, column 12: '2': ! not end before it begins at 3",
                "at 1 untl 2 crash n1            ! line 2, column 6: 'untl': expected 'until' ! untl",
                "at 1 until 2 crash              ! line 2, column 19: expected where ! at <ms>",
                "at 1 until 2 loss n1-n2         ! line 2, column 24: loss 0: must be from 1 to 100 ! loss",
                "at 1 until 2 loss n1-n2 500     ! line 2, column 25: loss 500: must be from 1 to 100 ! loss",
                "at 1 until 2 loss n1-n2 5 5     ! line 2, column 27: '5': expected the end of the line ! 5",
                "votres 5                        ! line 2, column 1: 'votres': must be 'at' or one of ! 'voters'?",
                "seed                            ! line 2, column 5: 'seed' must be followed by one value ! seed",
                "seed 1 2                        ! line 2, column 9: 'seed' must be followed by one value ! seed",
                "voters 99                       ! line 2, column 8: voters 99: must be from 1 to 9 ! voters",
                "rank BEST                       ! line 2, column 6: 'rank BEST': must be one of ! NODE_ID",
                "support 300                     ! line 2, column 9: support ! 300"
            })
    void theFirstMistakeIsNamedWithItsPlace(String line, String place, String part) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScenarioFile.parse("# mine\n" + line + "\n"))
                .withMessageStartingWith(place)
                .withMessageContaining(part);
    }

    @Test
    void aSettingIsThereOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScenarioFile.parse("seed 1\nseed 2"))
                .withMessage("line 2, column 1: 'seed': must not be there twice");
    }

    @Test
    void aNameThatIsFarFromAllIsNotGuessed() {
        assertThat(Nearest.of("LEADR dies", List.of("crash", "leader dies"))).contains("leader dies");
        assertThat(Nearest.of("qqqqq", List.of("crash", "leader dies"))).isEmpty();
        assertThat(Nearest.question("qqqqq", List.of("crash"))).isEmpty();
    }
}
