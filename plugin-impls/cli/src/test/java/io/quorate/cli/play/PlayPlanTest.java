package io.quorate.cli.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Fault.Kind;
import io.quorate.testkit.simulation.ScenarioFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/lab.md#on-real-jvms: what can be played, and how fast. */
class PlayPlanTest {

    private static final String THREE = "voters 3\n";

    private static PlayPlan plan(String text) {
        return PlayPlan.of(ScenarioFile.parse(text), true);
    }

    @Test
    void whatProcessesAndLinksCanDoIsPlayed() {
        PlayPlan plan = plan(THREE + "at 5000 until 6000 crash leader\nat 5000 until 6000 pause n1\n"
                + "at 5000 until 6000 shutdown n2\nat 5000 until 6000 cut n1>n2\n");
        assertThat(plan.left()).isEmpty();
        assertThat(plan.played())
                .extracting(fault -> fault.kind())
                .containsExactlyInAnyOrder(
                        Kind.CRASH, Kind.PAUSE, Kind.SHUTDOWN, Kind.CUT, Kind.CONTEND, Kind.CONTEND, Kind.CONTEND);
        assertThat(plan.untilMillis()).isEqualTo(10_000);
        assertThat(plan.name()).isEqualTo("three JVMs");
        assertThat(plan.caption()).doesNotContain("Not played");
    }

    @Test
    void whatCannotBePlayedIsNamed() {
        PlayPlan plan = plan(THREE + "at 5000 until 6000 clock n1 10\nat 5000 until 6000 crash leader\n"
                + "at 5000 until 6000 loss *-* 5\n");
        assertThat(plan.left()).containsExactly("at 5000 until 6000 clock n1 10", "at 5000 until 6000 loss *-* 5");
        assertThat(plan.caption()).contains("Not played: at 5000 until 6000 clock n1 10, at 5000 until 6000 loss");
        assertThat(plan("at 0 until 99 contend n1/a\nat 0 until 99 contend n2/b\n"
                                + "at 0 until 99 contend n3/b/a\nat 1 until 2 cut n1-n2\n")
                        .left())
                .containsExactly("at 0 until 99 contend n2/b", "at 0 until 99 contend n3/b/a");
    }

    @Test
    void nothingButWhatCannotBePlayedIsRefused() {
        assertThatThrownBy(() -> plan(THREE + "at 5000 until 6000 clock n1 10\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "--play: no fault of this scenario can be played on JVMs: at 5000 until 6000 clock");
        assertThat(plan(THREE).played()).hasSize(3);
    }

    // It changes nothing there, and a scenario that has nothing else is no worse for it.
    @Test
    void whoComesWhileItsNodeContendsIsPlayed() {
        assertThat(plan("at 0 until 90 contend n1/a\nat 80 until 99 contend n1/a\nat 0 until 90 contend n1/a\n")
                        .left())
                .isEmpty();
    }

    @Test
    void whatWouldTakeHoursIsRefused() {
        assertThatThrownBy(() -> plan("heartbeat 1\nsupport 6\nat 20000 until 30000 crash leader\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--play: takes 200 times as long as the scenario, because its heartbeat or its")
                .hasMessageEndingWith(" s: must be 600 s at most");
    }

    // Elsewhere there are no signals that stop a process.
    @Test
    void pausesNeedPosix() {
        String text = THREE + "at 5000 until 6000 pause n1\nat 7000 until 8000 crash n1\n";
        assertThat(PlayPlan.of(ScenarioFile.parse(text), false).left()).containsExactly("at 5000 until 6000 pause n1");
        assertThat(plan(text).left()).isEmpty();
    }

    @Test
    void moreThanFiveNodesAreRefused() {
        assertThat(plan("voters 3\nobservers 2\n").name()).isEqualTo("five JVMs");
        assertThatThrownBy(() -> plan("voters 3\nobservers 3\n")).hasMessage("--play with 6 nodes: must be 5 at most");
    }

    @ParameterizedTest
    @CsvSource({"200, 1000, 1", "1000, 6000, 1", "25, 150, 8", "100, 1000, 2", "200, 999, 2"})
    void noLeaseIsShorterThanTheUsualOne(int heartbeat, int support, long factor) {
        PlayPlan plan = plan("heartbeat " + heartbeat + "\nsupport " + support + "\n");
        assertThat(plan.factor()).isEqualTo(factor);
        assertThat(plan.millis()).isEqualTo(plan.untilMillis() * factor);
        assertThat(plan.settings(new NodeId("n1")))
                .contains("heartbeat=" + heartbeat * factor + "ms", "support=" + support * factor + "ms");
        assertThat(plan.caption().contains("times " + factor)).isEqualTo(factor > 1);
    }
}
