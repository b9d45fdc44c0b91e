package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Lead;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the lab says of a run that real JVMs have played. */
class LabRunTest {

    private static Way led(Lead... leads) {
        return Way.of(
                "two JVMs",
                new Recording(
                        "",
                        "",
                        List.of("n1", "n2"),
                        90_000,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(leads),
                        0));
    }

    private static Lead lead(String node, long from, long until) {
        return new Lead(node, from, until, "/a", OptionalLong.of(1));
    }

    @Test
    void twoThatLeadAtOneTimeAreAFailure() {
        LabRun simulated = new LabRun("bully", "mine", "", led());
        assertThat(simulated
                        .with(led(lead("n1", 0, 50_000), lead("n2", 50_000, 60_000)), "")
                        .failures())
                .isEmpty();
        assertThat(simulated
                        .with(led(lead("n1", 0, 50_000), lead("n2", 40_000, 60_000)), "")
                        .failures())
                .containsExactly("bully, two JVMs: n1 and n2 led at one time, at 40 ms");
    }
}
