package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.Exploration;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.simulation.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/lab.md#counterexamples-of-others: traces of TLC and scenarios of storms in the explorer. */
class ForeignRunTest {

    private static final ElectionAlgorithm BULLY = LabAlgorithms.on("").of("bully");

    @TempDir
    private Path directory;

    private static String trace() throws IOException {
        return Files.readString(Path.of("src/test/resources/lab/BullyF_fail_restart.tlc"));
    }

    private Run from(String text, String... arguments) throws IOException {
        Path file = Files.writeString(directory.resolve("theirs.txt"), text);
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of(
                "--explore",
                "--from",
                file.toString(),
                "--html",
                directory.resolve("x").toString()));
        return Run.of(all.toArray(new String[0]));
    }

    private static World end(SavedRun run) {
        Explorer page = Explorer.of(BULLY, run, "", 50);
        Exploration exploration = new Exploration(page.model());
        LabWords words = LabWords.ofCheck(BULLY, run.way(), run.processes());
        World world = exploration.first();
        for (String step : run.steps()) {
            world = StateGraph.step(exploration, words, world, step, "");
        }
        return world;
    }

    // ---------------------------------------------------------------- TLC

    // TLC 2.18 has printed it of BullyF_fail_restart.
    @Test
    void traceOfTlcBreaksTheSameRule() throws IOException {
        SavedRun run = TlcRun.read(trace(), BULLY);
        assertThat(run.leader()).hasValue(2);
        assertThat(run.links()).isEqualTo(Links.FIFO);
        assertThat(run.steps())
                .containsExactly(
                        "P2 crashes",
                        "P0 suspects P2",
                        "P1 gets ELECTION from P0",
                        "P0 gets ALIVE from P1",
                        "P1 suspects P2",
                        "P1 timer T",
                        "P2 restarts");
        assertThat(ElectionRule.ONE_LEADER.isBrokenIn(end(run))).isTrue();
    }

    @Test
    void traceMayHaveLineEndsOfWindows() throws IOException {
        assertThat(TlcRun.read(trace().replace("\n", "\r\n"), BULLY)).isEqualTo(TlcRun.read(trace(), BULLY));
    }

    @Test
    void wrongTracesHaveAPlaceAndARule() throws IOException {
        String trace = trace();
        assertThat(from(trace.replace("leader = <<3, 2, 3>>", "leader = <<3, 1, 3>>"), "bully")
                        .err())
                .contains(
                        "--from '",
                        "State 8, Restart: must be a step of the explorer with the same outcome. There can be: P0 ");
        assertThat(from(trace.replace("leader = <<3, 3, 3>>", "leader = <<3, 2, 3>>"), "bully")
                        .err())
                .contains("State 1: leader must have 2 to 5 processes, with the same leader");
        assertThat(from(trace.replace("leader = <<3, 3, 3>>", "leader = <<9, 9, 9>>"), "bully")
                        .err())
                .contains("State 1: leader must have 2 to 5 processes, with the same leader of them");
        assertThat(from(trace, "lcr").err())
                .contains("State 2: module BullyF: must be one of [BullyF, LcrF, TokenRingF], and for lcr");
        assertThat(from(trace.replace("/\\ suspects", "/\\ S"), "bully").err())
                .contains("State 1: must have the variables alive, leader, suspects, link");
        assertThat(from(trace.replace("<<TRUE, TRUE, TRUE>>", "<<TRUE, FALSE, TRUE>>"), "bully")
                        .err())
                .contains("State 1: must be the start of bully");
        assertThat(from(trace, "bully", "--way", "hardened").exitCode()).isEqualTo(64);
        assertThat(from("State 1: x", "bully").exitCode()).isEqualTo(64);
    }

    // ---------------------------------------------------------------- storms

    // The leader is cut off, so the others elect one more; what is lost is lost in the explorer.
    @Test
    void scenarioOfAStormEndsWithTwoLeaders() {
        SavedRun run = StormRun.of(
                BULLY, LabWay.DOCUMENTED, ScenarioFile.parse("voters 3\nat 5000 until 8000 cut leader-*\n"));
        assertThat(run.links()).isEqualTo(Links.UNORDERED);
        assertThat(run.steps()).contains("P1 wrongly suspects P2").anyMatch(step -> step.endsWith("but it is lost"));
        World end = end(run);
        assertThat(ElectionRule.ONE_LEADER.isBrokenIn(end)).isTrue();
        assertThat(end.leader(2)).hasValue(2);
    }

    @Test
    void messageToACrashedProcessIsNotLostAsWell() {
        SavedRun run = StormRun.of(
                BULLY,
                LabWay.DOCUMENTED,
                ScenarioFile.parse("voters 3\nat 5000 until 9000 crash leader\nat 5000 until 8000 loss *-* 100\n"));
        assertThat(run.steps())
                .contains("P2 crashes", "P0 gets VICTORY from P1, but it is lost")
                .noneMatch(step -> step.startsWith("P2 gets ") && step.endsWith("lost"));
    }

    @Test
    void fileMustBeText() throws IOException {
        Path file = Files.write(directory.resolve("x.json"), new byte[] {'{', (byte) 0xFF});
        Run run = Run.of("bully", "--explore", "--from", file.toString());
        assertThat(run.err()).contains("--from '" + file + "': must be text in UTF-8");
        assertThat(run.exitCode()).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "voters 5\\nat 30000 until 31000 cut leader-n1 ! ballot ! steps: must be at most 1000, and are ",
                "voters 6 ! bully ! voters 6: must be from 2 to 5 with --explore",
                "voters 3\\nat 5000 until 5000 resign n1/a ! bully ! resign: has no meaning without a lease",
                "voters 3\\nat 0 until 100 duplication *-* 100 ! bully ! must be a step of the explorer with the same",
                "voters 3\\nat 5000 until 6000 crsh leader ! bully ! line 2, column 20: 'crsh': must be one of",
                "heartbeat 1 ! bully ! heartbeat 1: must be at least 50 in the lab"
            })
    void stepsWithoutACounterpartAreRefused(String scenario, String algorithm, String rule) throws IOException {
        Run run = from(scenario.strip().replace("\\n", "\n"), algorithm.strip());
        assertThat(run.err()).contains("--from '", rule.strip()).doesNotContain("\tat ");
        assertThat(run.exitCode()).isEqualTo(64);
    }
}
