package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

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
        return new Findings(comparisons, List.of(), List.of(), alone, List.of(), List.of());
    }

    private static Findings found(List<Sample> samples) {
        return Findings.of(samples, List.of(), List.of("ballot"), DETECTION_MILLIS);
    }

    private static Sample curator(int turn, double value) {
        return new Sample(turn, ComparedSide.CURATOR, "", Metric.START, 1, value, 0, 1);
    }

    private static Sample quorate(int turn, String algorithm, double value) {
        return new Sample(turn, ComparedSide.QUORATE, algorithm, Metric.START, 1, value, 0, 1);
    }

    /** A value of each side in so many turns, around these. */
    private static List<Comparison> comparisons(Metric metric, double curator, double quorate, int count) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double factor = 1 + 0.01 * (i - count / 2);
            samples.add(new Sample(i + 1, ComparedSide.CURATOR, "", metric, 1, curator * factor, 0, 1));
            samples.add(new Sample(i + 1, ComparedSide.QUORATE, "ballot", metric, 1, quorate * factor, 0, 1));
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
    void aRatioIsThatOfTheTurns() {
        List<Sample> samples = List.of(
                curator(1, 10),
                curator(1, 20),
                curator(1, 1000),
                quorate(1, "ballot", 4),
                curator(2, 100),
                quorate(2, "ballot", 90),
                curator(3, 1),
                quorate(3, "ballot", 0.3),
                quorate(3, "ballot", 0.5),
                // Nothing to compare with.
                curator(4, 0),
                quorate(4, "ballot", 7),
                quorate(5, "ballot", 7));
        Comparison comparison = Comparison.of(samples, DETECTION_MILLIS).get(0);
        assertThat(comparison.ratio()).contains(new Result.Ratio(0.4, 0.2, 0.9));
        assertThat(comparison.turns()).as("those that have a ratio").isEqualTo(3);
        assertThat(comparison.verdict().orElseThrow().isReached())
                .as("0.3 is the goal")
                .isFalse();
        assertThat(comparisons(Metric.PAUSE_ANSWERS, 0, 0, 3).get(0).ratio()).isEmpty();
    }

    @Test
    void theCodeOfAnotherCommitIsComparedToo() {
        List<Sample> samples = List.of(
                curator(1, 10),
                quorate(1, "ballot", 6),
                quorate(1, "ballot@1a2b3c4d", 4),
                curator(2, 20),
                quorate(2, "ballot", 6),
                quorate(2, "ballot@1a2b3c4d", 5),
                quorate(2, "ballot/tcp", 1));
        Findings findings =
                Findings.of(samples, List.of(), List.of("ballot", "ballot/tcp", "ballot@1a2b3c4d"), DETECTION_MILLIS);
        assertThat(findings.others())
                .singleElement()
                .satisfies(other -> assertThat(other.algorithm()).isEqualTo("ballot"))
                .satisfies(other -> assertThat(other.ratio()).contains(new Result.Ratio(1.35, 1.2, 1.5)));
        assertThat(Summary.of(findings))
                .containsPattern("other commit.*\n.* ballot +4.50 ms +6.00 ms +1.35 +1.20 - 1.50");
        assertThat(findings.comparisons())
                .extracting(Comparison::algorithm)
                .containsExactly("ballot", "ballot@1a2b3c4d", "ballot/tcp");
        assertThat(Variant.of("ballot", "tcp")
                        .with(new OtherCode("1a2b3c4d", "/x"))
                        .label())
                .isEqualTo("ballot/tcp@1a2b3c4d");
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
        assertThat(comparisons(Metric.CUT_NO, 1, 9, 3).get(0).verdict()).isEmpty();
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
                .isEqualTo(new Result.Verdict("p99 at most 0.5 of Curator's", false));
    }

    @Test
    void rowsOfOneSideAreNotCompared() {
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
                .contains("a &amp; b", "missed: median \u2264 0.8", "SIGKILL &lt;of the leader&gt;", ">n1</text")
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
    void rowsOfQuorateAloneHaveTheirOwnTable() {
        List<Sample> samples = new ArrayList<>();
        for (int contenders : new int[] {50, 10}) {
            samples.add(quorate(Metric.CONTENDER_BYTES, contenders, 100 + contenders));
        }
        samples.add(quorate(Metric.CRASH, 1, 5));
        samples.add(curator(Metric.CRASH, 1, 5));
        List<QuorateAlone> alone = QuorateAlone.of(samples, List.of(), DETECTION_MILLIS);
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
            if (metric.isOfContainers()) {
                continue;
            }
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
    void theCodeOfAnotherCommitHasAColourOfItsOwnAmongTheRatios() {
        String grey = "rgb(107,114,128)";
        List<Sample> samples = new ArrayList<>(List.of(curator(1, 10), quorate(1, "ballot/tcp", 6)));
        assertThat(HtmlReport.of(findings(Comparison.of(samples, DETECTION_MILLIS), List.of()), List.of(), ""))
                .doesNotContain(grey);
        samples.add(quorate(1, "ballot/tcp@1a2b3c4d", 4));
        assertThat(HtmlReport.of(findings(Comparison.of(samples, DETECTION_MILLIS), List.of()), List.of(), ""))
                .contains(grey, "<td>ballot/tcp@1a2b3c4d</td>", "<td>ballot/tcp</td>");
    }

    @Test
    void valuesBeyondTheScaleAreDrawnAtItsEnd() {
        List<Sample> samples =
                List.of(curator(1, 400), quorate(1, "ballot", 0), curator(2, 1), quorate(2, "ballot", 90_000));
        Comparison comparison = Comparison.of(samples, DETECTION_MILLIS).get(0);
        assertThat(comparison.ratio().orElseThrow().low()).isZero();
        assertThat(comparison.ratio().orElseThrow().high()).isEqualTo(90_000);
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
        Findings findings = found(samples);
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
        assertThat(TrialName.chosen(Set.of(), true))
                .hasSize(TrialName.values().length - 3)
                .doesNotContain(TrialName.ALGORITHMS, TrialName.CONTENDERS, TrialName.FLOOR);
        assertThat(TrialName.chosen(Set.of(), false))
                .hasSize(TrialName.values().length - 5)
                .doesNotContain(
                        TrialName.ALGORITHMS,
                        TrialName.CONTENDERS,
                        TrialName.FLOOR,
                        TrialName.IDLE,
                        TrialName.CONTAINERS);
    }

    @Test
    void reportNamesOtherTrafficOnTheWire() {
        List<Sample> quiet = List.of(curator(Metric.OTHER_BYTES, 1, 0), quorate(Metric.OTHER_BYTES, 1, 0));
        assertThat(found(quiet).comparisons()).isEmpty();
        assertThat(found(quiet).remarks())
                .containsExactly("Nobody else used the loopback interface: bytes on the wire are exact.");
        Findings noisy = found(List.of(curator(Metric.OTHER_BYTES, 1, 0), quorate(Metric.OTHER_BYTES, 1, 70)));
        assertThat(Summary.of(noisy)).contains("Others sent up to 70.0 B/s");
        assertThat(HtmlReport.of(noisy, List.of(), "")).contains("Others sent up to 70.0 B/s");
        Findings nothing = found(List.of());
        assertThat(nothing.remarks()).isEmpty();
        assertThat(Summary.of(nothing.with(List.of("Not all was measured")))).contains("Not all was measured");
    }

    // ---------------------------------------------------------------- what has a table of its own

    private static final List<String> BOTH = List.of("ballot", "ballot/tcp");

    /** All are led after 7 s, and nothing is counted but this of Quorate. */
    private static List<Sample> contained(Container container, Metric counted) {
        List<Sample> samples = new ArrayList<>();
        samples.add(curator(container.led, 100, 7));
        samples.add(quorate("ballot/tcp", container.led, 100, 7));
        for (Metric metric : container.counted()) {
            samples.add(curator(metric, 100, 0));
            samples.add(quorate("ballot/tcp", metric, 100, metric == counted ? 3 : 0));
        }
        return samples;
    }

    private static ContainerRow quorateIn(Container container, Metric counted) {
        return Findings.of(contained(container, counted), List.of(), BOTH, DETECTION_MILLIS)
                .containers()
                .get(1);
    }

    @Test
    void smallContainersHaveATable() {
        Findings findings = Findings.of(
                contained(Container.PERCENT_20, Metric.CONTAINER_20_SUSPENDED_BEFORE),
                List.of(),
                BOTH,
                DETECTION_MILLIS);
        assertThat(findings.containers()).extracting(ContainerRow::who).containsExactly("curator", "ballot/tcp");
        ContainerRow curator = findings.containers().get(0);
        assertThat(curator.led()).isEqualTo("7.00 s");
        assertThat(curator.isReached()).as("Curator has no goal").isEmpty();
        ContainerRow quorate = findings.containers().get(1);
        assertThat(quorate.counts()).containsExactly("0", "3", "0", "0", "0", "0");
        assertThat(quorate.isReached()).contains(true);
        for (Metric lost : List.of(
                Metric.CONTAINER_20_LOSSES_BEFORE,
                Metric.CONTAINER_20_LOST_BEFORE,
                Metric.CONTAINER_20_LOSSES_AFTER,
                Metric.CONTAINER_20_LOST_AFTER)) {
            assertThat(quorateIn(Container.PERCENT_20, lost).isReached())
                    .as(lost.name())
                    .contains(false);
        }
        String page = HtmlReport.of(findings, List.of(), "");
        assertThat(page).contains("<h2>Small containers", "<td>0.2 cores</td>", "met: nothing is lost");
        assertThat(page.substring(page.indexOf("<h2>Ratios"))).doesNotContain("0.2 cores");
        assertThat(HtmlReport.of(findings(List.of(), List.of()), List.of(), "")).doesNotContain("<h2>Small containers");
    }

    // A JVM with a tenth of a processor may lose its connection while its code is cold.
    @Test
    void withATenthOfAProcessorNothingIsLostOnceAllAreLed() {
        ContainerRow before = quorateIn(Container.PERCENT_10, Metric.CONTAINER_10_LOST_BEFORE);
        assertThat(before.counts()).containsExactly("0", "0", "3", "0", "0", "0");
        assertThat(before.isReached()).contains(true);
        ContainerRow after = quorateIn(Container.PERCENT_10, Metric.CONTAINER_10_LOST_AFTER);
        assertThat(after.counts()).containsExactly("0", "0", "0", "0", "0", "3");
        assertThat(after.isReached()).contains(false);
        Findings findings = Findings.of(
                contained(Container.PERCENT_10, Metric.CONTAINER_10_LOST_AFTER), List.of(), BOTH, DETECTION_MILLIS);
        assertThat(HtmlReport.of(findings, List.of(), "")).contains("missed: no LOST once all are led");
        assertThat(Summary.of(findings))
                .containsPattern("LOST before all are led \\(100 latches\\) +ballot/tcp +0 +0 +- +\n")
                .containsPattern("LOST once all are led \\(100 latches\\) +ballot/tcp +0 +3.00 +- +MISSED: at most 0");
    }

    @Test
    void earlierLossesAreNotCountedAgain() {
        Progress led = new Progress(100, 5, 43, 7, 2);
        assertThat(new Progress(99, 6, 44, 9, 5).since(led)).isEqualTo(new Progress(99, 6, 1, 2, 3));
    }

    @Test
    void reportNamesSkippedTrials() {
        List<Sample> samples = List.of(
                quorate(Metric.CONTAINER_10_LOSSES_BEFORE, 1, 3),
                quorate(Metric.CONTAINER_10_SUSPENDED_BEFORE, 1, 0),
                quorate(Metric.CONTAINER_10_LOST_BEFORE, 1, 0),
                quorate(Metric.ALL_LED, 10_000, 4));
        List<NotDone> notDone = List.of(
                new NotDone(ComparedSide.QUORATE, "ballot", Metric.CONTAINER_10_LED, 1, 61, OptionalLong.of(0)),
                new NotDone(ComparedSide.CURATOR, "", Metric.ALL_LED, 10_000, 30, OptionalLong.of(4321)),
                new NotDone(ComparedSide.CURATOR, "", Metric.ALL_LED, 100_000, 0, OptionalLong.empty()));
        Findings findings = Findings.of(samples, notDone, BOTH, DETECTION_MILLIS);
        assertThat(findings.containers().get(0).led()).isEqualTo("not done in 61 s, when 0 were led");
        assertThat(findings.containers().get(0).counts()).containsExactly("3", "0", "0", "", "", "");
        assertThat(findings.containers().get(0).isReached())
                .as("what was not counted is not reached")
                .contains(false);
        assertThat(findings.alone().get(0).curator()).contains("not done in 30 s, when 4321 were led");
        assertThat(Summary.of(findings))
                .contains("curator, latches started until all are led (10000 latches): not done in 30 s")
                .contains("(100000 latches): not tried, for less was not done");
        assertThat(HtmlReport.of(findings, List.of(), "")).contains("<td>not done in 30 s, when 4321 were led</td>");
    }

    @Test
    void eachTransportHasItsRowAndItsGoal() {
        List<Sample> samples = List.of(
                curator(Metric.FIRST_HAND_OVER, 1, 10),
                quorate(Metric.FIRST_HAND_OVER, 1, 4),
                quorate("ballot/tcp", Metric.FIRST_HAND_OVER, 1, 6));
        Findings findings = Findings.of(samples, List.of(), BOTH, DETECTION_MILLIS);
        assertThat(findings.comparisons()).extracting(Comparison::algorithm).containsExactly("ballot", "ballot/tcp");
        assertThat(findings.algorithms()).as("transports are none").isEmpty();
        assertThat(HtmlReport.of(findings, List.of(), ""))
                .containsPattern("<td>ballot</td>.*met: median \u2264 0.5")
                .containsPattern("<td>ballot/tcp</td>.*missed: median \u2264 0.5");
        assertThat(Summary.of(findings))
                .containsPattern("ballot .*reached: median at most 0.5")
                .containsPattern("ballot/tcp .*MISSED: median at most 0.5");
    }

    @Test
    void rowsOfQuorateAloneAreShownForEachTransport() {
        List<Sample> samples = List.of(
                quorate(Metric.GROWTH_CLOSED, 100_000, 1.05),
                quorate("ballot/tcp", Metric.GROWTH_CLOSED, 100_000, 1.2));
        List<QuorateAlone> alone = QuorateAlone.of(samples, List.of(), DETECTION_MILLIS);
        assertThat(alone).extracting(QuorateAlone::algorithm).containsExactly("ballot", "ballot/tcp");
        assertThat(alone)
                .extracting(one -> one.verdict().orElseThrow().isReached())
                .containsExactly(true, false);
        assertThat(HtmlReport.of(findings(List.of(), alone), List.of(), ""))
                .contains("(up to 100000 latches)", "met: \u2264 1.10", "missed: \u2264 1.10");
    }

    @Test
    void idlingSaysHowLongItWasWaitedFor() {
        Sample settled = new Sample(1, ComparedSide.CURATOR, "", Metric.IDLE_CPU, 1, 2, 90, 1);
        Comparison comparison = Comparison.of(List.of(settled, quorate(Metric.IDLE_CPU, 1, 1)), DETECTION_MILLIS)
                .get(0);
        assertThat(comparison.name()).endsWith(", after 90 s");
        assertThat(comparisons(Metric.IDLE_CPU, 2, 1, 3).get(0).name()).doesNotContain("after");
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
        for (int turn = 1; turn <= 20; turn++) {
            samples.add(curator(turn, 1000));
            samples.add(quorate(turn, "ballot", turn % 2 == 0 ? 300 : 1500));
        }
        List<Comparison> wide = Comparison.of(samples, DETECTION_MILLIS);
        assertThat(wide.get(0).ratio().orElseThrow().value()).isGreaterThan(0.5 * (1 + Baseline.MARGIN));
        assertThat(before.worse(wide)).isEmpty();
    }

    // Curator could be measured in one of them only, so there is one ratio.
    @Test
    void manyTurnsOfOneSideAloneProveNoMore() throws IOException {
        Baseline before = written(comparisons(Metric.START, 1000, 500, 21));
        List<Sample> samples = new ArrayList<>(List.of(curator(1, 1000)));
        for (int turn = 1; turn <= 20; turn++) {
            samples.add(quorate(turn, "ballot", 900));
        }
        assertThat(before.worse(Comparison.of(samples, DETECTION_MILLIS))).isEmpty();
    }

    @Test
    void aFewTurnsProveLess() throws IOException {
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

    // What has a ratio, and gets worse by half or misses its goal.
    @Test
    void eachMetricHasAGuardThatCanFail() throws IOException {
        for (Metric metric : Metric.values()) {
            if (metric == Metric.OTHER_BYTES) {
                continue;
            }
            for (String algorithm : BOTH) {
                List<Comparison> before = guarded(metric, algorithm, 1);
                Baseline baseline = written(before);
                assertThat(baseline.worse(before)).as(metric + ", the same").isEmpty();
                assertThat(baseline.worse(guarded(metric, algorithm, 9000)))
                        .as(metric + ", worse")
                        .singleElement(STRING)
                        .startsWith(metric.name(1000))
                        .contains(algorithm + ":");
            }
        }
    }

    private static List<Comparison> guarded(Metric metric, String algorithm, double value) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            samples.add(curator(metric, 1000, 1000 + i));
            samples.add(quorate(algorithm, metric, 1000, value == 1 && isCounted(metric) ? 0 : value + i / 1e6));
        }
        return Comparison.of(samples, DETECTION_MILLIS);
    }

    /** Whether already one of it misses the goal. */
    private static boolean isCounted(Metric metric) {
        return metric.goal(DETECTION_MILLIS).most() == 0;
    }

    @Test
    void goalsGuardRowsOfQuorateAlone() throws IOException {
        Path file = directory.resolve("ratios.csv");
        Files.writeString(file, Baseline.of(alone(1.0)).toCsv("full"));
        Baseline before = Baseline.read(file);
        assertThat(before.worse(alone(1.09))).isEmpty();
        assertThat(before.worse(alone(1.3)))
                .singleElement(STRING)
                .startsWith("growth exponent of the time from SIGKILL until all are led again (up to 100000 latches)")
                .contains("goal missed, was reached: at most 1.10; Quorate's greatest value 1.30; ratio none");
    }

    private static List<QuorateAlone> alone(double exponent) {
        return QuorateAlone.of(
                List.of(quorate(Metric.GROWTH_TAKEN_OVER, 100_000, exponent)), List.of(), DETECTION_MILLIS);
    }

    @Test
    void baselineNamesRowsOfOneRunOnly() throws IOException {
        Baseline before = written(comparisons(Metric.START, 1000, 500, 3));
        List<Comparison> other = comparisons(Metric.FIRST_HAND_OVER, 10, 5, 3);
        assertThat(before.worse(other)).isEmpty();
        assertThat(before.unknown(other))
                .containsExactly("close() of the leader to the next isLeader, the first of these JVMs, ballot");
        assertThat(before.missing(other)).containsExactly("START,1,ballot");
        assertThat(before.unknown(comparisons(Metric.START, 1, 1, 3))).isEmpty();
        assertThat(before.missing(comparisons(Metric.START, 1, 1, 3))).isEmpty();
    }

    // 2 would say that something is worse than before. What an earlier run has found stays.
    @Test
    void aNumberThatIsNoneIsRefused() throws IOException {
        Path samples = Files.writeString(directory.resolve("samples.csv"), "of an earlier run");
        for (String wrong : List.of("--latches=1000,0", "--rounds=0", "--transports=pigeon")) {
            StringWriter said = new StringWriter();
            int exit =
                    new CommandLine(new Compare()).setErr(new PrintWriter(said)).execute("--out=" + directory, wrong);
            assertThat(exit).isEqualTo(1);
            assertThat(said.toString()).contains(wrong.substring(0, wrong.indexOf('=')), "must be");
        }
        assertThat(samples).hasContent("of an earlier run");
    }

    @Test
    void worseRatiosFailTheRunOnlyWithABaseline() {
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
            Files.writeString(file, "# remark\nmetric,scale,algorithm,ratio,low,high,turns,goal\n" + line + "\n");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Baseline.read(file))
                    .withMessageContaining("line '" + line + "'");
        }
    }

    @Test
    void aBadValueOfAFileIsNamedWithItsRule() throws IOException {
        Path file = directory.resolve("ratios.csv");
        String good = "CRASH,1,ballot,1,0,0,3,";
        for (List<String> wrong : List.of(
                List.of("CRASH,0,ballot,1,0,0,3,", "scale 0: must be at least 1"),
                List.of("CRASH,1,ballot,1,0,0,-3,", "turns -3: must be at least 1"),
                List.of("CRASH,1,ballot,1,0,0,3,maybe", "goal maybe: must be reached, missed or nothing"),
                List.of(good + "\n" + good, "CRASH,1,ballot: must be there once"))) {
            Files.writeString(file, "metric,scale,algorithm,ratio,low,high,turns,goal\n" + wrong.get(0) + "\n");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Baseline.read(file))
                    .withMessageEndingWith(wrong.get(1));
        }
    }
}
