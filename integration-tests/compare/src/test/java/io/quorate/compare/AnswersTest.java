package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.compare.Spells.Spell;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From single answers to how long two led at once. */
class AnswersTest {

    /** Each question is answered one unit after it was asked; ten units lie between questions. */
    private static Answers answers(String yesAndNo) {
        Answers answers = new Answers(() -> false);
        for (int i = 0; i < yesAndNo.length(); i++) {
            answers.add(10L * i, yesAndNo.charAt(i) == 'y', 10L * i + 1);
        }
        return answers;
    }

    @Test
    void trueAnswersAreCountedUpToTheFirstFalseOne() {
        assertThat(answers("yyyny").since(0)).isEqualTo("3 30");
        assertThat(answers("yyyny").since(11)).isEqualTo("1 30");
        assertThat(answers("yyy").since(0)).isEqualTo("3 0");
        assertThat(answers("nyy").since(0)).isEqualTo("0 0");
    }

    @Test
    void aSpellGoesFromTheFirstAnswerToTheLastQuestion() {
        assertThat(answers("nyyynnyy").spellsSince(0).all()).containsExactly(new Spell(11, 30), new Spell(61, 70));
        assertThat(answers("nyyynnyy").spellsSince(21).all()).containsExactly(new Spell(61, 70));
        assertThat(answers("nyn").spellsSince(0).all())
                .as("one answer lasts no time")
                .isEmpty();
    }

    @Test
    void twoWhoLeadAtOnceAreFound() {
        Spells old = answers("yyyyyynnnn").spellsSince(0);
        assertThat(old.overlap(answers("nnnnnnyyyy").spellsSince(0))).isZero();
        assertThat(old.overlap(answers("nnnyyyyyyy").spellsSince(0))).isEqualTo(50 - 31);
        assertThat(old.overlap(answers("nyynnyynnn").spellsSince(0))).isEqualTo(20 - 11);
        Spells none = answers("nnnnnnnnnn").spellsSince(0);
        Spells other = answers("nnnyyyyyyy").spellsSince(0);
        assertThat(CutTrial.overlap(List.of(old, none, other))).isEqualTo(19);
        assertThat(CutTrial.overlap(List.of(none, old, other))).isEqualTo(19);
    }

    @Test
    void spellsPassThroughText() {
        Spells spells = answers("nyyynnyy").spellsSince(0);
        assertThat(Spells.parse(spells.toString())).isEqualTo(spells);
        assertThat(Spells.parse("").all()).isEmpty();
    }
}
