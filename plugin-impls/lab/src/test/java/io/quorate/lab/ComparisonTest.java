package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Life;
import io.quorate.testkit.picture.Recording.Mark;
import io.quorate.testkit.picture.Recording.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/lab.md#all-algorithms-side-by-side: what the table counts, and what the page shows. */
class ComparisonTest {

    private static final long END = 9000;

    @TempDir
    private Path directory;

    private static Message message(long sent, boolean isRoutine) {
        return new Message("A", "B", sent, sent + 1, Fate.ARRIVED, "M", "", isRoutine);
    }

    private static Lead lead(String process, long from, long until) {
        return new Lead(process, from, until, "/a", OptionalLong.empty());
    }

    /** A dies at 1000. */
    private static List<String> figures(List<Mark> marks, Lead... leads) {
        return Comparison.figures(new Recording(
                "title",
                "",
                List.of("A", "B"),
                END,
                List.of(message(500, false), message(1000, false), message(2000, true), message(3000, false)),
                marks,
                List.of(new Life("A", 0, 1000, false), new Life("B", 0, END, false)),
                List.of(),
                List.of(leads),
                List.of(),
                0));
    }

    @Test
    void figuresBeginWithTheFirstFault() {
        List<Mark> start = List.of(new Mark(0, Optional.of("A"), "starts"));
        assertThat(figures(start, lead("A", 0, 1000), lead("B", 3500, END))).containsExactly("2", "2.5", "1", "2.5");
        List<Mark> cut = List.of(new Mark(800, Optional.empty(), "cut A-B"));
        assertThat(figures(cut, lead("A", 0, 1000), lead("B", 3500, END))).containsExactly("2", "2.7", "1", "2.5");
    }

    @Test
    void severalLeadersAndNoneAreTold() {
        assertThat(figures(List.of(), lead("A", 2000, END), lead("B", 3000, 4000)))
                .containsExactly("2", "3.0", "2", "1.0");
        assertThat(figures(List.of(), lead("A", 0, 4000))).containsExactly("2", "never", "1", "5.0");
        assertThat(figures(List.of(), lead("B", 3500, 5000), lead("A", 5000, END)))
                .containsExactly("2", "2.5", "1", "2.5");
    }

    // N(N-1) messages of the bully, as its document says.
    @Test
    void allAlgorithmsStandInOneTableAndOnOnePage() throws IOException {
        Path page = directory.resolve("page.html");
        Run run = Run.of("all", "leader dies", "--way", "documented", "--nodes", "3", "--html", page.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("leader dies (3 nodes, seed 1)\n")
                .containsPattern("documented +ballot +bully +lcr +three-phase +token-ring\n")
                .containsPattern("messages sent +\\d+ +6 +5 +\\d+ +8\n")
                .containsPattern("most leaders together +1 +1 +1 +1 +1\n")
                .contains("The page: " + page);
        String html = Files.readString(page);
        assertThat(html.split("<text class=\"way\"", -1)).hasSize(5 + 1);
        assertThat(html)
                .contains("<td>three-phase", "<h2>documented</h2>", "n2 → n1 VICTORY")
                .doesNotContain("{table}");
    }

    @Test
    void wrongArgumentsAreRejectedWithTheirRule() {
        assertThat(Run.of("all", "leader dis").err())
                .startsWith("quorate lab all: scenario 'leader dis': must be one of ");
        assertThat(Run.of("all", "--nodes", "10").err()).contains("--nodes 10: must be from 1 to 9");
        Run before = Run.of("--seed", "5", "all");
        assertThat(before.err()).contains("quorate lab all: must stand before its options and arguments");
        assertThat(before.exitCode()).isEqualTo(64);
        assertThat(Run.of("lcr", "all").err()).contains("must stand before its options and arguments");
    }
}
