package io.quorate.core.vote;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a voter says of a disk that fails, and of one that does not answer. The support time is 1,100. */
class DurableTermsTest {

    private final StepContext context = Contexts.of(Contexts.N1);
    private final DurableTerms terms = new DurableTerms(context, true, 0);
    private final List<String> lines = new ArrayList<>();

    private void heartbeatsUntil(long end) {
        for (long now = context.now(); now <= end; now += 100) {
            context.setNow(now);
            terms.retry();
        }
        look();
    }

    private void look() {
        for (NodeEffect effect : context.takeEffects()) {
            if (effect instanceof NodeEffect.Note note) {
                lines.add(note.text());
            }
        }
    }

    @Test
    void aDiskThatDoesNotAnswerIsSaidOnce() {
        terms.start();
        heartbeatsUntil(10_000);
        assertThat(terms.failure()).as("it may only be slow").isEmpty();
        heartbeatsUntil(30_000);
        assertThat(lines)
                .containsExactly("terms cannot be stored: this voter keeps its votes and gives none above term 0: the"
                        + " disk has not answered for some support times");
        assertThat(terms.failure()).isPresent();
        terms.onReserved(DurableTerms.BLOCK);
        look();
        assertThat(lines).last().isEqualTo("terms can be stored again: this voter votes in terms up to 65536");
        assertThat(terms.failure()).isEmpty();
    }

    // Otherwise one message with a term that is made up could use up all terms.
    @Test
    void aTermFarAboveAllThatAreInUseIsNoClaim() {
        terms.start();
        terms.onReserved(DurableTerms.BLOCK);
        assertThat(terms.isFarAhead(DurableTerms.BLOCK + StepContext.CLAIM_LEAP_MAX))
                .isFalse();
        assertThat(terms.isFarAhead(DurableTerms.BLOCK + StepContext.CLAIM_LEAP_MAX + 1))
                .isTrue();
        DurableTerms diskless = new DurableTerms(context, false, 0);
        assertThat(diskless.isFarAhead(DurableTerms.CLOCK_MAX + StepContext.CLAIM_LEAP_MAX))
                .isFalse();
        assertThat(diskless.isFarAhead(DurableTerms.CLOCK_MAX + StepContext.CLAIM_LEAP_MAX + 1))
                .isTrue();
    }

    @Test
    void aDiskThatFailsIsAskedAgainAndSaidOnce() {
        terms.start();
        terms.onFailed("no space left");
        heartbeatsUntil(100);
        terms.onFailed("no space left");
        heartbeatsUntil(200);
        assertThat(lines)
                .containsExactly(
                        "terms cannot be stored: this voter keeps its votes and gives none above term 0: no space left");
    }

    // Claims hurry heartbeats, so that many of them are little time.
    @Test
    void hurriedHeartbeatsAreNoTime() {
        terms.start();
        for (int i = 0; i < 200; i++) {
            context.setNow(i * 5);
            terms.retry();
        }
        assertThat(terms.failure()).isEmpty();
    }

    // One term is used. Each write takes twelve support times, so that each is told of as one without an answer.
    @Test
    void aSlowDiskIsNotWrittenToWithoutNeed() {
        terms.start();
        terms.onReserved(DurableTerms.BLOCK);
        context.takeEffects();
        terms.onHeard(DurableTerms.BLOCK - 1);
        long underWay = 0;
        long due = 0;
        int writes = 0;
        for (long now = 0; now < 1_000_000; now += 100) {
            context.setNow(now);
            terms.retry();
            if (underWay != 0 && now >= due) {
                terms.onReserved(underWay);
                underWay = 0;
            }
            for (NodeEffect effect : context.takeEffects()) {
                if (effect instanceof NodeEffect.ReserveTerms reserve) {
                    underWay = reserve.upTo();
                    due = now + 12 * 1_100;
                    writes++;
                }
            }
        }
        assertThat(writes).isEqualTo(1);
    }

    @Test
    void aProcessThatStoodStillKnowsNothingOfItsDisk() {
        terms.start();
        context.setNow(1_000_000);
        terms.retry();
        assertThat(terms.failure()).isEmpty();
    }
}
