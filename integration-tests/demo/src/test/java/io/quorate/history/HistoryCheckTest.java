package io.quorate.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.HistoryEvent.Kind;
import io.quorate.history.Report.Overlap;
import io.quorate.history.Report.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The good history is accepted, and each change of it breaks one rule and no other. */
class HistoryCheckTest {

    /** Two tenures, with writes; the last write of the first comes too late. */
    private static final List<String> GOOD = List.of(
            "acquired n1-1 /a 5 100 200",
            "believed-from n1-1 /a 5 190 200",
            "accepted n1-1 /a 5 300 300",
            "believed-to n1-1 /a 5 400 410",
            "released n1-1 /a 5 400 420",
            "acquired n2-1 /a 8 450 500",
            "believed-from n2-1 /a 8 490 500",
            "accepted n2-1 /a 8 600 600",
            "rejected n1-1 /a 5 650 650",
            "believed-to n2-1 /a 8 700 710");

    private static Report check(List<String> lines) {
        return HistoryCheck.check(lines.stream().map(HistoryEvent::parse).toList(), true);
    }

    private static Report goodWith(String... more) {
        return check(Stream.concat(GOOD.stream(), Stream.of(more)).toList());
    }

    private static Report goodWhere(String original, String changed) {
        assertThat(GOOD).contains(original);
        return check(GOOD.stream()
                .map(line -> line.equals(original) ? changed : line)
                .toList());
    }

    private static List<Rule> rules(Report report) {
        return report.violations().stream()
                .map(Report.Violation::rule)
                .distinct()
                .toList();
    }

    @Test
    void theGoodHistoryIsAccepted() {
        Report report = check(GOOD);
        assertThat(report.violations()).as(report::toString).isEmpty();
        assertThat(report.overlap()).isEqualTo(new Overlap(0, 0, 0));
        assertThat(report.count(Kind.ACCEPTED)).isEqualTo(2);
        assertThat(report.count(Kind.REJECTED)).isEqualTo(1);
    }

    @Test
    void theOrderOfTheLinesDoesNotMatter() {
        for (int seed = 0; seed < 50; seed++) {
            List<String> shuffled = new ArrayList<>(GOOD);
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(check(shuffled).isGood()).as("seed %d", seed).isTrue();
            Collections.replaceAll(shuffled, "accepted n1-1 /a 5 300 300", "accepted n1-1 /a 5 660 660");
            assertThat(rules(check(shuffled))).as("seed %d", seed).containsExactly(Rule.F1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // Another client, the next life of the same one, and the same one again.
        "T1, acquired n3-1 /a 8 450 900",
        "T1, acquired n2-2 /a 8 450 900",
        "T1, acquired n2-1 /a 8 450 900",
        // Invoked after 8 was there; far below all, or between two others.
        "T2, acquired n3-1 /a 1 501 900",
        "T2, acquired n3-1 /a 7 501 900",
        "T2, acquired n1-1 /a 7 501 900",
        "F1, accepted n1-1 /a 5 601 601",
        "F2, accepted n2-1 /a 9 800 800",
        // The token is there, but was not yet when it was used.
        "F2, accepted n1-1 /a 5 99 99",
        "F3, accepted n3-1 /a 8 800 800",
        "F3, accepted n2-2 /a 8 800 800",
        "M, believed-to n1-1 /a 5 501 510"
    })
    void oneMoreLineBreaksOneRule(Rule rule, String line) {
        Report report = goodWith(line);
        assertThat(rules(report)).as(report::toString).containsExactly(rule);
        assertThat(report.toString()).contains(rule + " is broken by", "    " + line);
    }

    @ParameterizedTest
    @CsvSource({
        "T2, acquired n2-1 /a 8 450 500, acquired n2-1 /a 4 450 500",
        "M, believed-from n2-1 /a 8 490 500, believed-from n2-1 /a 8 390 399"
    })
    void oneOtherLineBreaksARule(Rule rule, String original, String changed) {
        assertThat(rules(goodWhere(original, changed))).contains(rule);
    }

    // Whatever may have been in another order is no violation.
    @ParameterizedTest
    @CsvSource({
        "acquired n3-1 /a 6 500 900",
        "accepted n2-1 /a 8 600 600",
        "accepted n1-1 /a 5 500 600",
        "acquired n3-1 /b 5 501 900",
        "believed-to n1-1 /a 5 500 520",
        "rejected n9-9 /a 99 1 1"
    })
    void whatMayBeIsAccepted(String line) {
        Report report = goodWith(line);
        assertThat(report.violations()).as(report::toString).isEmpty();
    }

    // ---------------------------------------------------------------- lost replies

    @Test
    void aTokenWhoseReplyWasLostMayBeUsedByThatClientOnly() {
        String lost = "acquired n3-1 /a - 620 -";
        String use = "accepted n3-1 /a 9 800 800";
        assertThat(rules(goodWith(use))).containsExactly(Rule.F2);
        assertThat(goodWith(lost, use).isGood()).isTrue();
        assertThat(goodWith(lost).isGood()).isTrue();
        assertThat(rules(goodWith(lost.replace("n3-1", "n3-2"), use))).containsExactly(Rule.F2);
        assertThat(rules(goodWith(lost.replace("620", "801"), use))).containsExactly(Rule.F2);
        // Somebody else is known to have it.
        assertThat(rules(goodWith(lost, "accepted n3-1 /a 8 800 800"))).containsExactly(Rule.F3);
    }

    @Test
    void unansweredCallMayCompleteAtAnyTime() {
        assertThat(goodWith("acquired n3-1 /a 99 120 -").isGood()).isTrue();
        assertThat(rules(goodWith("acquired n3-1 /a 99 120 130"))).containsExactly(Rule.T2);
        assertThat(rules(goodWith("acquired n3-1 /a 8 450 -"))).containsExactly(Rule.T1);
    }

    @Test
    void aBeliefWhoseEndIsLostIsAPossibleOverlapAndNoViolation() {
        Report report = goodWith("acquired n0-1 /a 1 10 20", "believed-from n0-1 /a 1 15 20");
        assertThat(report.isGood()).as(report::toString).isTrue();
        assertThat(report.overlap()).isEqualTo(new Overlap(0, 0, 2));
    }

    // ---------------------------------------------------------------- the measure

    @Test
    void overlapsAreMeasuredAndAViolationOnlyWhereLeasesAreClaimed() {
        List<String> lines = Stream.concat(GOOD.stream(), Stream.of("believed-to n1-1 /a 5 530 540"))
                .toList();
        Report measured =
                HistoryCheck.check(lines.stream().map(HistoryEvent::parse).toList(), false);
        assertThat(measured.isGood()).isTrue();
        assertThat(measured.overlap()).isEqualTo(new Overlap(1, 30, 0));
        assertThat(check(lines).isGood()).isFalse();
    }

    @Test
    void aTenureThatSpansSeveralOthersOverlapsEach() {
        Report report =
                goodWith("acquired n0-1 /a 1 10 20", "believed-from n0-1 /a 1 15 20", "believed-to n0-1 /a 1 650 651");
        assertThat(report.overlap()).isEqualTo(new Overlap(2, (400 - 200) + (650 - 500), 0));
        assertThat(rules(report)).containsExactly(Rule.M);
    }

    // SIGSTOP: no answers for a while, then one that is still true. Nobody else has led meanwhile, or somebody has.
    @Test
    void aPauseDoesNotEndABelief() {
        assertThat(goodWith("believed-from n2-1 /a 8 900 901", "believed-to n2-1 /a 8 950 951")
                        .isGood())
                .isTrue();
        assertThat(rules(goodWith("believed-from n1-1 /a 5 900 901", "believed-to n1-1 /a 5 900 901")))
                .containsExactly(Rule.M);
    }

    // ---------------------------------------------------------------- the report

    @Test
    void aBadReportTellsTheHistoryWithoutRepetitions() {
        String report = goodWith("believed-to n2-1 /a 8 600 601", "acquired n3-1 /a 1 501 900")
                .toString();
        assertThat(report)
                .contains(
                        "1 violations",
                        "T2 is broken by\n    acquired n2-1 /a 8 450 500\n" + "    acquired n3-1 /a 1 501 900\n",
                        "\nbelieved-to n2-1 /a 8 700 710")
                .doesNotContain("\nbelieved-to n2-1 /a 8 600 601", "\naccepted");
        assertThat(check(GOOD).toString()).startsWith("0 violations").doesNotContain("believed-to n2-1");
    }

    // A quadratic check would need hours for it.
    @Test
    void aMillionEventsAreJudged() {
        List<HistoryEvent> history = new ArrayList<>();
        for (int token = 1; token <= 200_000; token++) {
            long begin = token * 100L;
            String client = "n" + token % 7 + "-1";
            history.add(new HistoryEvent(Kind.ACQUIRED, client, "/a", token, begin, begin + 10));
            history.add(new HistoryEvent(Kind.BELIEVED_FROM, client, "/a", token, begin + 5, begin + 10));
            history.add(new HistoryEvent(Kind.ACCEPTED, client, "/a", token, begin + 20, begin + 20));
            history.add(new HistoryEvent(Kind.BELIEVED_TO, client, "/a", token, begin + 80, begin + 90));
            history.add(new HistoryEvent(Kind.RELEASED, client, "/a", token, begin + 80, begin + 95));
        }
        assertThat(HistoryCheck.check(history, true).isGood()).isTrue();
        history.add(new HistoryEvent(Kind.ACCEPTED, "n1-1", "/a", 1, 20_000_200, 20_000_200));
        assertThat(rules(HistoryCheck.check(history, true))).containsExactly(Rule.F1);
    }
}
