package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From values to what is said about them. */
class ReportTest {

    @TempDir
    private Path directory;

    /** So many values of each side, around these. */
    private static List<Comparison> comparisons(Metric metric, double curator, double quorate, int count) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double factor = 1 + 0.01 * (i - count / 2);
            samples.add(new Sample(1, Side.CURATOR, metric, 1, curator * factor, 0, 1));
            samples.add(new Sample(1, Side.QUORATE, metric, 1, quorate * factor, 0, 1));
        }
        return Comparison.of(samples);
    }

    @Test
    void quantilesLieBetweenTheNearestValues() {
        Distribution four = new Distribution(List.of(4.0, 1.0, 3.0, 2.0));
        assertThat(four.median()).isEqualTo(2.5);
        assertThat(four.quantile(0)).isEqualTo(1);
        assertThat(four.quantile(1)).isEqualTo(4);
        assertThat(four.quantile(0.99)).isEqualTo(3.97, within(1e-9));
    }

    @Test
    void aRatioHasBoundsThatHoldIt() {
        Distribution.Ratio ratio = comparisons(Metric.CRASH, 1000, 500, 21).get(0).ratio().orElseThrow();
        assertThat(ratio.value()).isEqualTo(0.5);
        assertThat(ratio.low()).isBetween(0.4, 0.5);
        assertThat(ratio.high()).isBetween(0.5, 0.6);
        assertThat(comparisons(Metric.PAUSE_ANSWERS, 0, 0, 3).get(0).ratio()).isEmpty();
    }

    @Test
    void aGoalIsReachedOrMissed() {
        assertThat(comparisons(Metric.CRASH, 1000, 790, 21).get(0).verdict().orElseThrow().isReached()).isTrue();
        assertThat(comparisons(Metric.CRASH, 1000, 810, 21).get(0).verdict().orElseThrow().isReached()).isFalse();
        assertThat(comparisons(Metric.PAUSE_ANSWERS, 180, 0, 3).get(0).verdict().orElseThrow().isReached()).isTrue();
        assertThat(comparisons(Metric.PAUSE_ANSWERS, 180, 1, 3).get(0).verdict().orElseThrow().isReached()).isFalse();
        assertThat(comparisons(Metric.START, 1, 9, 3).get(0).verdict()).isEmpty();
        assertThat(comparisons(Metric.HAND_OVER, 10, 2.9, 21).get(0).verdict().orElseThrow().isReached()).isTrue();
        List<Sample> slowTail = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slowTail.add(new Sample(1, Side.CURATOR, Metric.HAND_OVER, 1, 10, 0, 1));
            slowTail.add(new Sample(1, Side.QUORATE, Metric.HAND_OVER, 1, i < 95 ? 1 : 9, 0, 1));
        }
        assertThat(Comparison.of(slowTail).get(0).verdict().orElseThrow().isReached()).as("p99").isFalse();
    }

    @Test
    void whatOneSideAloneHasIsNotCompared() {
        assertThat(Comparison.of(List.of(new Sample(1, Side.QUORATE, Metric.CRASH, 1, 5, 0, 1)))).isEmpty();
    }

    @Test
    void theSummaryNamesWhatIsMissed() {
        assertThat(Summary.of(comparisons(Metric.CRASH, 1000, 900, 21)))
                .contains("SIGKILL of the leader to the next isLeader", "1000 ms", "900 ms", "0.900",
                        "MISSED: median at most 0.8 of Curator's", "99th percentile");
        assertThat(Summary.number(0.01234)).isEqualTo("0.0123");
        assertThat(Summary.number(12345.6)).isEqualTo("12346");
        assertThat(Summary.number(0)).isEqualTo("0");
    }

    @Test
    void thePageHasEverythingInItself() {
        Timeline timeline = new Timeline(Side.QUORATE, "SIGKILL <of the leader>");
        NodeHandle node = new NodeHandle("n1", new Events());
        timeline.believed(node, 0, 2_000_000_000L);
        timeline.done(node, "SIGKILL", 2_000_000_000L);
        String page = HtmlReport.of(comparisons(Metric.CRASH, 1000, 900, 21), List.of(), List.of(timeline), "a & b");
        assertThat(page).contains("a &amp; b", "missed: median at most 0.8", "SIGKILL &lt;of the leader&gt;", "<rect")
                .doesNotContain("http", "src=", "NaN").doesNotContainPattern("@[a-z]+@");
        assertThat(page.split("<circle class=\"curator\"")).hasSize(22);
    }

    @Test
    void whatQuorateAloneHasIsShownApart() {
        List<Sample> samples = new ArrayList<>();
        for (int contenders : new int[] {50, 10}) {
            samples.add(new Sample(1, Side.QUORATE, Metric.CONTENDER_BYTES, contenders, 100 + contenders, 5, 1));
        }
        samples.add(new Sample(1, Side.QUORATE, Metric.CRASH, 1, 5, 0, 1));
        samples.add(new Sample(1, Side.CURATOR, Metric.CRASH, 1, 5, 0, 1));
        List<Alone> alone = Alone.of(samples);
        assertThat(alone).extracting(Alone::metric).containsOnly(Metric.CONTENDER_BYTES);
        assertThat(alone).extracting(Alone::scale).containsExactly(10, 50);
        assertThat(Summary.ofAlone(alone)).contains("(10 contenders)", "110 B/s", "(50 contenders)", "150 B/s");
        assertThat(HtmlReport.of(List.of(), alone, List.of(), "")).contains("(50 contenders)", "150 B/s");
    }

    @Test
    void everyLabelOfTheRatiosFits() {
        List<Comparison> all = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            List<Sample> samples = new ArrayList<>();
            for (Side side : Side.values()) {
                samples.add(new Sample(1, side, metric, 10_000, 5, 0, 1));
            }
            all.addAll(Comparison.of(samples));
        }
        String page = HtmlReport.of(all, List.of(), List.of(), "");
        String ratios = page.substring(page.indexOf("<h2>Ratios"), page.indexOf("<h2>All values"));
        List<String> labels = Pattern.compile("<text class=\"name\"[^>]*>([^<]*)").matcher(ratios).results()
                .map(result -> result.group(1)).toList();
        assertThat(labels).hasSizeGreaterThan(all.size())
                .allMatch(label -> label.length() <= HtmlReport.LABEL_CHARACTERS);
        assertThat(String.join(" ", labels)).isEqualTo(String.join(" ", all.stream().map(Comparison::name).toList()));
    }

    @Test
    void aSampleSaysHowLongNothingWasDoneBefore() throws IOException {
        Sink sink = new Sink(directory.resolve("samples.csv"));
        sink.turn(2, Side.QUORATE);
        sink.settled(5);
        sink.add(Metric.IDLE_CPU, 1000, 7);
        sink.settled(0);
        sink.add(Metric.CRASH, 8);
        List<String> lines = Files.readAllLines(directory.resolve("samples.csv"));
        assertThat(lines).hasSize(3).startsWith(Sample.HEADER);
        assertThat(lines.get(0)).startsWith("round,side,metric,scale,value,settled");
        assertThat(lines.get(1)).startsWith("2,quorate,IDLE_CPU,1000,7.000000,5,");
        assertThat(lines.get(2)).startsWith("2,quorate,CRASH,1,8.000000,0,");
    }

    @Test
    void aRunIsComparedWithAnEarlierOne() throws IOException {
        Path file = directory.resolve("ratios.csv");
        Files.writeString(file, Baseline.of(comparisons(Metric.CRASH, 1000, 500, 21)).toCsv());
        Baseline before = Baseline.read(file);
        assertThat(before.worse(comparisons(Metric.CRASH, 2000, 1010, 21))).isEmpty();
        assertThat(before.worse(comparisons(Metric.CRASH, 1000, 700, 21)))
                .containsExactly("SIGKILL of the leader to the next isLeader: ratio 0.700, was 0.500");
    }

    @Test
    void aFileThatIsNoneIsRefused() throws IOException {
        Path file = directory.resolve("ratios.csv");
        Files.writeString(file, "nonsense\n");
        assertThatIllegalArgumentException().isThrownBy(() -> Baseline.read(file))
                .withMessageContaining("must begin with the line metric,latches");
        Files.writeString(file, "metric,latches,ratio,low,high\nCRASH,1,x,0,0\n");
        assertThatIllegalArgumentException().isThrownBy(() -> Baseline.read(file))
                .withMessageContaining("line 'CRASH,1,x,0,0'");
        Files.writeString(file, "metric,latches,ratio,low,high\nCRUSH,1,1,0,0\n");
        assertThatIllegalArgumentException().isThrownBy(() -> Baseline.read(file))
                .withMessageContaining("line 'CRUSH,1,1,0,0'");
    }
}
