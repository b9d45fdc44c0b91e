package io.quorate.delays;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.delays.DelayReport.Row;
import io.quorate.delays.DelayReport.Sentence;
import io.quorate.delays.DelayTable.Cell;
import io.quorate.delays.DelayTable.Delay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/algorithms/common.md#model: what holds beyond delta. Seeds count from 0. */
class DelayTableTest {

    private static final Path PAGE = Path.of("..", "docs", "delays.md");
    private static final Path DOCUMENTS = Path.of("..", "..", "plugin-impls", "docs", "algorithms");

    /** How many runs of each cell every build repeats, in a few seconds. */
    private static final int SAMPLE = 1;

    /** A number, or [n of 20](where that is explained). */
    private static final Pattern CELL = Pattern.compile("(?<= \\| )(?:\\[?(\\d+) of 20\\b[^|]*|(\\d+))(?= \\|)");

    @Tag("storms")
    @Test
    void publishedTableIsWhatTheCodeDoes() throws IOException {
        DelayReport report = new DelayReport();
        for (Row row : DelayReport.rows()) {
            for (Delay delay : DelayTable.DELAYS) {
                report.put(row, delay, DelayTable.measure(row.algorithm(), row.variant(), delay, DelayTable.SEEDS));
            }
        }
        if (System.getProperty("rewrite") != null) {
            Files.writeString(PAGE, report.text());
        } else {
            assertThat(Files.readString(PAGE))
                    .as("%s; -Drewrite writes it", PAGE)
                    .isEqualTo(report.text());
        }
        assertThat(report.unexplained()).isEmpty();
    }

    // The first runs of each cell are among those that were published.
    @Test
    void sampleIsWithinThePublishedTable() throws IOException {
        Iterator<Cell> published = published().iterator();
        for (Row row : DelayReport.rows()) {
            for (Delay delay : DelayTable.DELAYS) {
                Cell sample = DelayTable.measure(row.algorithm(), row.variant(), delay, SAMPLE);
                assertThat(isPartOf(published.next(), sample))
                        .as("%s at %s: %s", row, delay, sample)
                        .isTrue();
            }
        }
        assertThat(published.hasNext()).isFalse();
    }

    @Test
    void runThatWasNotPublishedIsNoticed() {
        Cell settled = new Cell(20, 20, 30);
        assertThat(isPartOf(settled, new Cell(2, 2, 30))).isTrue();
        assertThat(isPartOf(settled, new Cell(2, 2, 31))).isFalse();
        assertThat(isPartOf(settled, new Cell(1, 2, 30))).isFalse();
        Cell unsettled = new Cell(1, 20, 0);
        assertThat(isPartOf(unsettled, new Cell(1, 2, 99))).isTrue();
        assertThat(isPartOf(unsettled, new Cell(2, 2, 3))).isFalse();
    }

    private static boolean isPartOf(Cell published, Cell sample) {
        return published.isSettled()
                ? sample.isSettled() && sample.slowest() <= published.slowest()
                : sample.settled() <= published.settled()
                        && sample.runs() - sample.settled() <= published.runs() - published.settled();
    }

    private static List<Cell> published() throws IOException {
        return CELL.matcher(Files.readString(PAGE))
                .results()
                .map(DelayTableTest::cell)
                .toList();
    }

    private static Cell cell(MatchResult found) {
        return found.group(1) == null
                ? new Cell(DelayTable.SEEDS, DelayTable.SEEDS, Long.parseLong(found.group(2)))
                : new Cell(Integer.parseInt(found.group(1)), DelayTable.SEEDS, 0);
    }

    @Test
    void everyExplanationStandsInItsDocument() throws IOException {
        for (Sentence sentence : DelayReport.sentences()) {
            assertThat(Files.readString(DOCUMENTS.resolve(sentence.document())).replaceAll("\\s+", " "))
                    .contains(sentence.text());
        }
    }
}
