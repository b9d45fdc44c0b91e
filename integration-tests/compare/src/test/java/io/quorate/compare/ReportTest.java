package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From values to what is said about them. */
class ReportTest {

    private static final int DETECTION_MILLIS = 1000;

    @TempDir
    private Path directory;

    private static Sample curator(Metric metric, int scale, double value) {
        return new Sample(1, ComparedSide.CURATOR, "", metric, scale, value, 0, 1);
    }

    private static Sample quorate(Metric metric, int scale, double value) {
        return quorate("ballot", metric, scale, value);
    }

    private static Sample quorate(String algorithm, Metric metric, int scale, double value) {
        return new Sample(1, ComparedSide.QUORATE, algorithm, metric, scale, value, 0, 1);
    }

    private static Findings findings(List<Comparison> comparisons, List<QuorateAlone> alone) {
        return new Findings(comparisons, List.of(), alone, List.of());
    }

    /** So many values of each side, around these. */
    private static List<Comparison> comparisons(Metric metric, double curator, double quorate, int count) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double factor = 1 + 0.01 * (i - count / 2);
            samples.add(curator(metric, 1, curator * factor));
            samples.add(quorate(metric, 1, quorate * factor));
        }
        return Comparison.of(samples, DETECTION_MILLIS);
    }

    @Test
    void quantilesLieBetweenTheNearestValues() {
        Distribution four = new Distribution(List.of(4.0, 1.0, 3.0, 2.0));
        assertThat(four.median()).isEqualTo(2.5);
        assertThat(four.quantile(0)).isEqualTo(1);
        assertThat(four.quantile(1)).isEqualTo(4);
        assertThat(four.quantile(0.99)).isEqualTo(3.97, within(1e-9));
        assertThat(four.values()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aRatioHasBoundsThatHoldIt() {
        Comparison comparison = comparisons(Metric.CRASH, 1000, 500, 21).get(0);
        Distribution.Ratio ratio = comparison.ratio().orElseThrow();
        assertThat(ratio.value()).isEqualTo(0.5);
        assertThat(ratio.low()).isBetween(0.4, 0.5);
        assertThat(ratio.high()).isBetween(0.5, 0.6);
        assertThat(comparison.ratio().orElseThrow()).as("the same each time").isEqualTo(ratio);
        assertThat(comparison.curator().values()).as("left as they are").isSorted();
        assertThat(comparisons(Metric.PAUSE_ANSWERS, 0, 0, 3).get(0).ratio()).isEmpty();
    }

    @Test
    void aGoalIsReachedOrMissed() {
        assertThat(comparisons(Metric.CRASH, 1000, 790, 21)
                        .get(0)
                        .verdict()
                        .orElseThrow()
                        .isReached())
                .isTrue();
        assertThat(comparisons(Metric.CRASH, 1000, 810, 21)
                        .get(0)
                        .verdict()
                        .orElseThrow()
                        .isReached())
                .isFalse();
        assertThat(comparisons(Metric.PAUSE_ANSWERS, 180, 0, 3)
                        .get(0)
                        .verdict()
                        .orElseThrow()
                        .isReached())
                .isTrue();
        assertThat(comparisons(Metric.PAUSE_ANSWERS, 180, 1, 3)
                        .get(0)
                        .verdict()
                        .orElseThrow()
                        .isReached())
                .isFalse();
        assertThat(comparisons(Metric.START, 1, 9, 3).get(0).verdict()).isEmpty();
        assertThat(comparisons(Metric.HAND_OVER, 10, 2.9, 21)
                        .get(0)
                        .verdict()
                        .orElseThrow()
                        .isReached())
                .isTrue();
        List<Sample> slowTail = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            slowTail.add(curator(Metric.HAND_OVER, 1, 10));
            slowTail.add(quorate(Metric.HAND_OVER, 1, i < 95 ? 1 : 9));
        }
        Comparison slow = Comparison.of(slowTail, DETECTION_MILLIS).get(0);
        assertThat(slow.verdict().orElseThrow())
                .as("what is missed of it")
                .isEqualTo(new Comparison.Verdict("p99 at most 0.5 of Curator's", false));
    }

    @Test
    void whatOneSideAloneHasIsNotCompared() {
        assertThat(Comparison.of(List.of(quorate(Metric.CRASH, 1, 5)), DETECTION_MILLIS))
                .isEmpty();
    }

    @Test
    void theSummaryNamesWhatIsMissed() {
        assertThat(Summary.of(comparisons(Metric.CRASH, 1000, 900, 21)))
                .contains(
                        "SIGKILL of the leader to the next isLeader",
                        "1000 ms",
                        "900 ms",
                        "0.900",
                        "MISSED: median at most 0.8 of Curator's",
                        "99th percentile");
        assertThat(Summary.number(0.01234)).isEqualTo("0.0123");
        assertThat(Summary.number(12345.6)).isEqualTo("12346");
        assertThat(Summary.number(0)).isEqualTo("0");
    }

    @Test
    void thePageHasEverythingInItself() {
        Timeline timeline = new Timeline(ComparedSide.QUORATE, "SIGKILL <of the leader>");
        NodeHandle node = new NodeHandle("n1", new LatchReports());
        timeline.led(node, 0, 2_000_000_000L);
        timeline.done(node, "SIGKILL", 2_000_000_000L);
        String page = page(21, timeline);
        assertThat(page)
                .contains("a &amp; b", "missed: median at most 0.8", "SIGKILL &lt;of the leader&gt;", ">n1</text")
                .doesNotContain("src=", "NaN")
                .doesNotContainPattern("@[a-z]+@");
        assertThat(page.replaceAll("xmlns(:xlink)?=\"[^\"]*\"", "")).doesNotContain("http");
        assertThat(page(22, timeline).split("<path "))
                .as("a dot for each value")
                .hasSize(page.split("<path ").length + 2);
    }

    private static String page(int values, Timeline timeline) {
        return HtmlReport.of(
                findings(comparisons(Metric.CRASH, 1000, 900, values), List.of()), List.of(timeline), "a & b");
    }

    @Test
    void whatQuorateAloneHasIsShownApart() {
        List<Sample> samples = new ArrayList<>();
        for (int contenders : new int[] {50, 10}) {
            samples.add(quorate(Metric.CONTENDER_BYTES, contenders, 100 + contenders));
        }
        samples.add(quorate(Metric.CRASH, 1, 5));
        samples.add(curator(Metric.CRASH, 1, 5));
        List<QuorateAlone> alone = QuorateAlone.of(samples);
        assertThat(alone).extracting(QuorateAlone::metric).containsOnly(Metric.CONTENDER_BYTES);
        assertThat(alone).extracting(QuorateAlone::scale).containsExactly(10, 50);
        assertThat(Summary.ofAlone(alone)).contains("(10 contenders)", "110 B/s", "(50 contenders)", "150 B/s");
        assertThat(HtmlReport.of(findings(List.of(), alone), List.of(), ""))
                .contains("<h2>Quorate alone", "(50 contenders)", "150 B/s");
        assertThat(HtmlReport.of(findings(List.of(), List.of()), List.of(), ""))
                .contains("<h2>Results", "<h2>Ratios")
                .doesNotContain("<h2>Quorate alone", "<h2>Algorithms");
    }

    // An id that two charts of a page have in common makes one of them use what belongs to the other.
    @Test
    void chartsOfAPageDoNotDisturbEachOther() {
        List<Comparison> all = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            all.addAll(
                    Comparison.of(List.of(curator(metric, 10_000, 5), quorate(metric, 10_000, 5)), DETECTION_MILLIS));
        }
        String page = HtmlReport.of(findings(all, List.of()), List.of(), "");
        assertThat(page.split("<svg ")).as("the ratios, and all values").hasSize(1 + 1 + all.size());
        assertThat(found(page, " id=\"([^\"]+)\""))
                .doesNotHaveDuplicates()
                .containsAll(found(page, "url\\(#([^)]+)\\)"));
        assertThat(found(page.substring(page.indexOf("<h2>Ratios")), "<text[^>]*>([^<]*)"))
                .containsAll(all.stream().map(Comparison::name).toList());
    }

    private static List<String> found(String page, String pattern) {
        return Pattern.compile(pattern)
                .matcher(page)
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    @Test
    void whatHasNoPlaceOnTheScaleIsShownAtItsEnd() {
        List<Sample> samples = List.of(
                curator(Metric.VOTER_CRASH, 1, 0),
                curator(Metric.VOTER_CRASH, 1, 400),
                quorate(Metric.VOTER_CRASH, 1, 0),
                quorate(Metric.VOTER_CRASH, 1, 9));
        Comparison comparison = Comparison.of(samples, DETECTION_MILLIS).get(0);
        assertThat(comparison.ratio().orElseThrow().low()).isZero();
        assertThat(comparison.ratio().orElseThrow().high()).isNaN();
        String page = HtmlReport.of(findings(List.of(comparison), List.of()), List.of(), "");
        assertThat(page).contains("<svg ").doesNotContain("NaN\"", "Infinity");
    }

    @Test
    void aSampleSaysHowLongNothingWasDoneBefore() throws IOException {
        Sink sink = new Sink(directory.resolve("samples.csv"));
        sink.turn(2, ComparedSide.QUORATE, "bully");
        sink.settled(5);
        sink.add(Metric.IDLE_CPU, 1000, 7);
        sink.settled(0);
        sink.add(Metric.CRASH, 8);
        sink.turn(2, ComparedSide.CURATOR, "bully");
        sink.add(Metric.CRASH, 9);
        List<String> lines = Files.readAllLines(directory.resolve("samples.csv"));
        assertThat(lines).hasSize(4).startsWith(Sample.HEADER);
        assertThat(lines.get(0)).startsWith("round,side,algorithm,metric,scale,value,settled");
        assertThat(lines.get(1)).startsWith("2,quorate,bully,IDLE_CPU,1000,7.000000,5,");
        assertThat(lines.get(2)).startsWith("2,quorate,bully,CRASH,1,8.000000,0,");
        assertThat(lines.get(3)).startsWith("2,curator,,CRASH,1,9.000000,0,");
    }

    @Test
    void aGoalMayDependOnTheDetectionTime() {
        List<Sample> late = List.of(curator(Metric.CRASH, 1, 2000), quorate(Metric.CRASH, 1, 1300));
        assertThat(Comparison.of(late, 1000).get(0).verdict().orElseThrow().goal())
                .endsWith("at most 1200 ms");
        assertThat(Comparison.of(late, 1000).get(0).verdict().orElseThrow().isReached())
                .isFalse();
        assertThat(Comparison.of(late, 1100).get(0).verdict().orElseThrow().isReached())
                .isTrue();
        List<Sample> all = List.of(curator(Metric.TAKEN_OVER, 100, 9), quorate(Metric.TAKEN_OVER, 100, 2.5));
        assertThat(Comparison.of(all, 1000).get(0).verdict().orElseThrow().goal())
                .isEqualTo("at most 2.00 s");
        assertThat(Comparison.of(all, 1000).get(0).verdict().orElseThrow().isReached())
                .isFalse();
        assertThat(Comparison.of(all, 1600).get(0).verdict().orElseThrow().isReached())
                .isTrue();
    }

    @Test
    void everyAlgorithmIsComparedWhereSeveralWereMeasured() {
        List<Sample> samples = List.of(
                curator(Metric.CRASH, 1, 1000),
                quorate(Metric.CRASH, 1, 800),
                quorate("bully", Metric.CRASH, 1, 700),
                quorate("lcr", Metric.CRASH, 1, 900),
                curator(Metric.HAND_OVER, 1, 10),
                quorate(Metric.HAND_OVER, 1, 1));
        Findings findings = Findings.of(samples, "ballot", DETECTION_MILLIS);
        assertThat(findings.comparisons())
                .extracting(Comparison::metric)
                .containsExactly(Metric.HAND_OVER, Metric.CRASH);
        assertThat(findings.comparisons()).extracting(Comparison::algorithm).containsOnly("ballot");
        assertThat(findings.algorithms()).extracting(Comparison::algorithm).containsExactly("ballot", "bully", "lcr");
        assertThat(findings.algorithms())
                .extracting(c -> c.ratio().orElseThrow().value())
                .containsExactly(0.8, 0.7, 0.9);
        assertThat(Summary.of(findings)).containsPattern("bully +1000 ms +700 ms +0.700");
        assertThat(HtmlReport.of(findings, List.of(), "")).contains("<h2>Algorithms", "<td>bully</td>");
        assertThat(Baseline.of(findings.all()).toCsv("").lines())
                .hasSize(2 + 4)
                .anyMatch(line -> line.startsWith("CRASH,1,bully,0.7000,"));
    }

    @Test
    void algorithmsBringWhatTheyAreComparedWith() {
        assertThat(TrialName.chosen(Set.of(TrialName.ALGORITHMS), false))
                .containsExactlyInAnyOrder(TrialName.CALM, TrialName.CRASH, TrialName.CUT, TrialName.ALGORITHMS);
        assertThat(TrialName.chosen(Set.of(TrialName.COST), true)).containsExactly(TrialName.COST);
        assertThat(TrialName.chosen(Set.of(), true)).containsExactlyInAnyOrder(TrialName.values());
        assertThat(TrialName.chosen(Set.of(), false))
                .hasSize(TrialName.values().length - 2)
                .doesNotContain(TrialName.ALGORITHMS, TrialName.CONTENDERS);
    }

    @Test
    void whatElseWasOnTheWireIsSaid() {
        List<Sample> quiet = List.of(curator(Metric.OTHER_BYTES, 1, 0), quorate(Metric.OTHER_BYTES, 1, 0));
        assertThat(Findings.of(quiet, "ballot", DETECTION_MILLIS).comparisons()).isEmpty();
        assertThat(Findings.of(quiet, "ballot", DETECTION_MILLIS).remarks())
                .containsExactly("Nobody else used the loopback interface: bytes on the wire are exact.");
        Findings noisy = Findings.of(
                List.of(curator(Metric.OTHER_BYTES, 1, 0), quorate(Metric.OTHER_BYTES, 1, 70)),
                "ballot",
                DETECTION_MILLIS);
        assertThat(Summary.of(noisy)).contains("Others sent up to 70.0 B/s");
        assertThat(HtmlReport.of(noisy, List.of(), "")).contains("Others sent up to 70.0 B/s");
        Findings nothing = Findings.of(List.of(), "ballot", DETECTION_MILLIS);
        assertThat(nothing.remarks()).isEmpty();
        assertThat(Summary.of(nothing.with(List.of("Not all was measured")))).contains("Not all was measured");
    }

    // ---------------------------------------------------------------- an earlier run

    private Baseline written(List<Comparison> comparisons) throws IOException {
        Path file = directory.resolve("ratios.csv");
        Files.writeString(file, Baseline.of(comparisons).toCsv("quick"));
        return Baseline.read(file);
    }

    @Test
    void aRunIsComparedWithAnEarlierOne() throws IOException {
        Baseline before = written(comparisons(Metric.START, 1000, 500, 21));
        assertThat(before.worse(comparisons(Metric.START, 2000, 1010, 21))).isEmpty();
        assertThat(before.worse(comparisons(Metric.START, 1000, 100, 21)))
                .as("better")
                .isEmpty();
        assertThat(before.worse(comparisons(Metric.START, 1000, 600, 21)))
                .as("within the margin")
                .isEmpty();
        assertThat(before.worse(comparisons(Metric.START, 1000, 700, 21)))
                .singleElement(STRING)
                .startsWith("start() to isLeader on a connected client, ballot: ratio 0.700 (")
                .contains("), was 0.500 (");
        assertThat(before.worse(comparisons(Metric.HAND_OVER, 1000, 900, 21)))
                .as("was not measured")
                .isEmpty();
    }

    @Test
    void aRatioThatVariesWidelyIsNotWorse() throws IOException {
        Baseline before = written(comparisons(Metric.START, 1000, 500, 21));
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            samples.add(curator(Metric.START, 1, 1000));
            samples.add(quorate(Metric.START, 1, i % 2 == 0 ? 300 : 1500));
        }
        List<Comparison> wide = Comparison.of(samples, DETECTION_MILLIS);
        assertThat(wide.get(0).ratio().orElseThrow().value()).isGreaterThan(0.5 * (1 + Baseline.MARGIN));
        assertThat(before.worse(wide)).isEmpty();
    }

    @Test
    void aFewValuesProveLess() throws IOException {
        Baseline before = written(comparisons(Metric.START, 1000, 500, 3));
        assertThat(before.worse(comparisons(Metric.START, 1000, 900, 21))).isEmpty();
        assertThat(before.worse(comparisons(Metric.START, 1000, 1100, 21))).hasSize(1);
        assertThat(written(comparisons(Metric.START, 1000, 500, 21)).worse(comparisons(Metric.START, 1000, 900, 3)))
                .isEmpty();
    }

    @Test
    void aGoalThatIsMissedNowIsNamed() throws IOException {
        Baseline before = written(comparisons(Metric.CUT_NEXT, 1000, 990, 21));
        assertThat(before.worse(comparisons(Metric.CUT_NEXT, 1000, 1010, 21)))
                .singleElement(STRING)
                .contains("goal missed, was reached: median at most 1.0 of Curator's", "ratio 1.01 (");
        assertThat(written(comparisons(Metric.CUT_NEXT, 1000, 1010, 21))
                        .worse(comparisons(Metric.CUT_NEXT, 1000, 1020, 21)))
                .as("was missed before")
                .isEmpty();
        assertThat(written(comparisons(Metric.CUT_OVERLAP, 0, 0, 2)).worse(comparisons(Metric.CUT_OVERLAP, 0, 3, 2)))
                .as("without a ratio")
                .singleElement(STRING)
                .contains("at most 0 ms; Quorate's greatest value 3.00 ms");
    }

    @Test
    void whatGotWorseFailsTheRunOnlyIfAskedFor() {
        assertThat(Compare.exitCode(List.of(), List.of("slower"), true)).isEqualTo(2);
        assertThat(Compare.exitCode(List.of(), List.of("slower"), false)).isZero();
        assertThat(Compare.exitCode(List.of(), List.of(), true)).isZero();
        assertThat(Compare.exitCode(List.of("no leader"), List.of(), false)).isEqualTo(1);
    }

    @Test
    void aFileThatIsNoneIsRefused() throws IOException {
        Path file = directory.resolve("ratios.csv");
        Files.writeString(file, "nonsense\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Baseline.read(file))
                .withMessageContaining("must begin with the line metric,scale");
        for (String line : List.of(
                "CRASH,1,ballot,x,0,0,3,",
                "CRUSH,1,ballot,1,0,0,3,",
                "CRASH,1,ballot,1,0,0,3,maybe",
                "CRASH,1,ballot,1,0,0")) {
            Files.writeString(file, "# remark\nmetric,scale,algorithm,ratio,low,high,values,goal\n" + line + "\n");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Baseline.read(file))
                    .withMessageContaining("line '" + line + "'");
        }
    }
}
