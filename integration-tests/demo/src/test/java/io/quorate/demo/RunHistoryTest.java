package io.quorate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.RunHistory.Answers;
import io.quorate.demo.RunHistory.Life;
import io.quorate.demo.RunHistory.Span;
import io.quorate.demo.RunHistory.Step;
import io.quorate.history.HistoryCheck;
import io.quorate.history.HistoryEvent;
import io.quorate.history.Report;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The judge of the demo and of the tests with real JVMs finds what it is there for, and nothing else. */
class RunHistoryTest {

    private static final Life N1 = new Life("n1", 1);
    private static final Life N2 = new Life("n2", 1);

    private final RunHistory history = new RunHistory();

    // Times in milliseconds; the first answer is given half of one after the question.
    private void answers(Life life, long token, int from, int to) {
        Span span = new Span(from * 1_000_000L, from * 1_000_000L + 500_000, to * 1_000_000L);
        history.add(new Answers(life, token, span, to - from + 1));
    }

    private int exitCode() {
        return new Verdict(history, report(), Optional.empty()).exitCode();
    }

    @Test
    void leadersOneAfterTheOtherAreRight() {
        answers(N1, 0, 0, 9);
        answers(N1, 1, 10, 100);
        answers(N2, 2, 101, 200);
        answers(N1, 7, 201, 300);
        assertThat(history.faults()).isEmpty();
        assertThat(history.reigns()).extracting(Answers::token).containsExactly(1L, 2L, 7L);
        assertThat(exitCode()).isZero();
    }

    @Test
    void anAnswerAfterAHigherTokenIsAnOverlap() {
        answers(N1, 1, 10, 100);
        answers(N2, 2, 99, 200);
        assertThat(history.overlaps())
                .containsExactly("two leaders: n1 with token 1 still said true 0.5 ms after n2 with token 2 had");
        assertThat(exitCode()).isEqualTo(1);
    }

    // The lower token may also be the later one.
    @Test
    void aLowerTokenDuringAHigherOneIsAnOverlap() {
        answers(N1, 5, 10, 100);
        answers(N2, 4, 50, 60);
        assertThat(history.overlaps()).hasSize(1);
    }

    // The question preceded the other node's first answer, so it may have been answered before it as well.
    @Test
    void aQuestionBeforeTheOtherNodesFirstAnswerIsNoOverlap() {
        answers(N1, 1, 10, 100);
        answers(N2, 2, 100, 200);
        assertThat(history.faults()).isEmpty();
    }

    // One true answer after SIGCONT is enough, though the process stood still while the other led.
    @Test
    void aTrueAnswerAfterAPauseIsAnOverlap() {
        answers(N1, 1, 10, 100);
        answers(N2, 2, 1100, 3000);
        answers(N1, 1, 3000, 3000);
        assertThat(history.overlaps()).hasSize(1);
        assertThat(history.answersSince("n1", 2_999_000_000L)).isOne();
        assertThat(history.trueAnswersSince("n1", 2_999_000_000L, 1)).isOne();
        assertThat(history.trueAnswersSince("n1", 2_999_000_000L, 2)).isZero();
    }

    // The process was stopped between the question and its answer, and gives the same answer from then on.
    @Test
    void anAnswerAfterAPauseCountsAlthoughTheQuestionCameBefore() {
        history.add(new Answers(N1, 0, new Span(100_000_000, 3_000_000_000L, 3_100_000_000L), 50));
        assertThat(history.answersSince("n1", 2_999_000_000L)).isEqualTo(50);
        assertThat(history.answersSince("n1", 3_000_000_000L)).isZero();
    }

    // hasLeadership() may have been true before the pause.
    @Test
    void aTrueAnswerToAQuestionBeforeAPauseIsNoOverlap() {
        answers(N2, 2, 1100, 3000);
        history.add(new Answers(N1, 1, new Span(100_000_000, 3_000_000_000L, 100_000_000), 1));
        assertThat(history.trueAnswersSince("n1", 2_999_000_000L, 1)).isZero();
        assertThat(history.overlaps()).isEmpty();
    }

    @Test
    void aPauseAloneIsRight() {
        answers(N1, 1, 10, 100);
        answers(N1, 1, 400, 500);
        assertThat(history.reigns()).hasSize(1);
        assertThat(history.faults()).isEmpty();
    }

    @Test
    void tokensThatFallAreAFault() {
        answers(N1, 2, 10, 100);
        answers(N2, 1, 200, 300);
        assertThat(history.overlaps()).isEmpty();
        assertThat(history.faults()).containsExactly("tokens fell: n2 with token 1 came after n1 with token 2");
        assertThat(exitCode()).isEqualTo(1);
    }

    @Test
    void aTokenOfTwoNodesIsAFault() {
        answers(N1, 1, 10, 100);
        answers(N2, 1, 200, 300);
        assertThat(history.faults()).containsExactly("the same token twice: n1 with token 1 and n2 with token 1");
        assertThat(exitCode()).isEqualTo(1);
    }

    @Test
    void aTokenOfTwoLivesOfANodeIsAFault() {
        answers(N1, 1, 10, 100);
        answers(new Life("n1", 2), 1, 200, 300);
        assertThat(history.faults())
                .containsExactly("the same token twice: n1 with token 1 and n1 (start 2) with token 1");
    }

    // LeaderLatch.hasLeadership: "Once false, it stays false for that tenure".
    @Test
    void aTokenThatComesBackAfterFalseIsAFault() {
        answers(N1, 1, 10, 100);
        answers(N1, 0, 101, 101);
        answers(N1, 1, 102, 200);
        assertThat(history.faults()).containsExactly("the same token twice: n1 with token 1 and n1 with token 1");
    }

    @Test
    void aMissingLeaderIsAFault() {
        answers(N1, 1, 10, 100);
        history.add(new Step("SIGKILL to the leader n1", Optional.empty(), "never"));
        assertThat(history.faults()).containsExactly("no leader after: SIGKILL to the leader n1");
        assertThat(exitCode()).isEqualTo(1);
    }

    @Test
    void aScriptThatCouldNotGoOnFails() {
        assertThat(new Verdict(history, report(), Optional.of("n1 ended by itself")).exitCode())
                .isEqualTo(1);
    }

    // The processes may have written down what the parent never heard.
    @Test
    void aBrokenRuleOfTheWrittenHistoryFails() {
        Verdict verdict = new Verdict(history, report("accepted n1-1 /demo/leader 5 1 1"), Optional.empty());
        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.reasons().toString()).contains("F2", "accepted n1-1 /demo/leader 5 1 1");
    }

    private static Report report(String... lines) {
        return HistoryCheck.check(Stream.of(lines).map(HistoryEvent::parse).toList(), true);
    }

    // A run that goes on is reported again and again: the last report counts.
    @Test
    void aRunOfAnswersIsReplacedByItsLaterReport() {
        answers(N1, 1, 10, 10);
        answers(N1, 1, 10, 100);
        assertThat(history.answers()).hasSize(1);
        assertThat(history.lastLeader().orElseThrow().count()).isEqualTo(91);
    }
}
