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

    private List<Long> writes() {
        return context.takeEffects().stream()
                .filter(NodeEffect.ReserveTerms.class::isInstance)
                .map(effect -> ((NodeEffect.ReserveTerms) effect).upTo())
                .toList();
    }

    @Test
    void aWriteThatFailedIsRepeatedWithTheNextHeartbeat() {
        terms.start();
        terms.retry();
        assertThat(writes()).as("one is under way").containsExactly(DurableTerms.BLOCK);
        terms.onFailed("no space left");
        assertThat(writes()).isEmpty();
        terms.retry();
        terms.retry();
        assertThat(writes()).containsExactly(DurableTerms.BLOCK);
        terms.onReserved(DurableTerms.BLOCK);
        terms.retry();
        assertThat(writes()).isEmpty();
    }

    // A restart would forget a vote above what is durable.
    @Test
    void theNextBlockIsWrittenWhenHalfOfOneIsUsedOrAClaimNeedsIt() {
        long half = DurableTerms.BLOCK / 2;
        terms.start();
        terms.onReserved(DurableTerms.BLOCK);
        context.takeEffects();
        terms.onVoted(half);
        assertThat(writes()).isEmpty();
        terms.onVoted(half + 1);
        assertThat(writes()).containsExactly(half + 1 + DurableTerms.BLOCK);
        terms.onReserved(half + 1 + DurableTerms.BLOCK);
        terms.onNeeded(1_000_000);
        terms.onNeeded(1_000_000);
        assertThat(writes()).containsExactly(1_000_000 + DurableTerms.BLOCK);
        assertThat(terms.highest()).isEqualTo(half + 1);
        assertThat(terms.closable()).isEqualTo(half + 1 + DurableTerms.BLOCK);
    }

    @Test
    void aTermThatIsHeardIsFollowedUnlessItIsMadeUp() {
        long leap = 1L << 40;
        terms.onHeard(leap + 1);
        assertThat(terms.highest()).isZero();
        terms.onHeard(leap);
        assertThat(terms.highest()).isEqualTo(leap);
        terms.onHeard(2 * leap);
        terms.onHeard(3 * leap + 1);
        assertThat(terms.highest()).isEqualTo(2 * leap);
        // Without a disk, terms come from wall clocks.
        DurableTerms diskless = new DurableTerms(context, false, 0);
        diskless.onHeard(DurableTerms.LAST + 1);
        assertThat(diskless.highest()).isZero();
        diskless.onHeard(DurableTerms.LAST);
        assertThat(diskless.highest()).isEqualTo(DurableTerms.LAST);
        assertThat(diskless.closable()).isEqualTo(DurableTerms.LAST + DurableTerms.BLOCK);
    }
}
