package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.nemesis.LeaderAnswers.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaderAnswersTest {

    private static Answer answer(String node, long token, long asked, long answered) {
        return new Answer(node, token, asked, answered);
    }

    private static List<String> violations(Answer... answers) {
        return LeaderAnswers.violations(List.of(answers));
    }

    @Test
    void aLaterAnswerOfAnotherNodeHasTheHigherToken() {
        Answer first = answer("n1", 5, 10, 20);
        assertThat(violations(first, answer("n1", 5, 21, 30), answer("n2", 6, 31, 40)))
                .isEmpty();
        assertThat(violations(first, answer("n2", 5, 21, 30))).hasSize(1);
        assertThat(violations(answer("n2", 4, 21, 30), first)).singleElement().satisfies(text -> assertThat(text)
                .contains("n1", "n2"));
        assertThat(violations(first, answer("n1", 4, 21, 30))).hasSize(1);
    }

    @Test
    void answersThatOverlapProveNothing() {
        assertThat(violations(answer("n1", 5, 10, 20), answer("n2", 4, 20, 30))).isEmpty();
        assertThat(violations(answer("n1", 5, 10, 20), answer("n2", 5, 15, 30))).isEmpty();
        assertThat(violations()).isEmpty();
    }

    // The one with the highest token may be long over, and others may have answered since.
    @Test
    void theHighestTokenOfAllEarlierAnswersCounts() {
        assertThat(violations(
                        answer("n3", 9, 1, 2), answer("n1", 9, 3, 100), answer("n2", 10, 5, 6), answer("n1", 9, 7, 8)))
                .hasSize(2);
    }
}
