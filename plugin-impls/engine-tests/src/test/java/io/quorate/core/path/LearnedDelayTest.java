package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.LoneNode;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Trace;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.Blockade;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.Election;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bound on a delay that a node learns from its claims. */
class LearnedDelayTest {

    private final StepContext context = new StepContext(
            new NodeSettings(
                    "test",
                    N1,
                    Contexts.VOTERS,
                    new LeaseTiming(100, 1100, 10),
                    new Timing(10),
                    RankOrder.JOIN_ORDER,
                    0,
                    false),
            new HighestUp(),
            (min, max) -> min,
            Trace.NONE,
            1);
    private final ClaimPace pace = new ClaimPace(context);

    /** A claim began at 0, and is not answered by then. */
    private void isLateAt(long now) {
        LocalContender contender = new LocalContender("/app/leader", 7, "p", 0, Contexts.VOTERS.size());
        contender.onPlace(context, 1);
        Blockade nobody = new Blockade(context, new SupportHeld(context));
        contender.beginClaim(context, new Claiming("it is nominated", nobody, false, 0), 1);
        context.setNow(now);
        pace.onLate(contender);
    }

    @Test
    void delayIsThatOfTheLatestClaimUpToASupportTime() {
        context.setNow(0);
        assertThat(pace.timing()).isEqualTo(new Timing(10));
        isLateAt(300);
        assertThat(pace.timing()).isEqualTo(new Timing(300));
        isLateAt(5_000);
        assertThat(pace.timing()).isEqualTo(new Timing(1_100));
    }

    // The voters were slow for a reason that is over.
    @Test
    void learnedDelayIsForgottenAfterASupportTimeWithoutClaims() {
        context.setNow(0);
        pace.onBegin(true);
        isLateAt(300);
        context.setNow(1_100);
        pace.onBegin(true);
        assertThat(pace.timing()).as("not longer than a support time").isEqualTo(new Timing(300));
        context.setNow(2_201);
        pace.onBegin(false);
        assertThat(pace.timing()).as("another claim is under way").isEqualTo(new Timing(300));
        context.setNow(3_302);
        pace.onBegin(true);
        assertThat(pace.timing()).isEqualTo(new Timing(10));
    }

    // The first election begins before a claim was late, and the second one after a claim has waited two deltas.
    @Test
    void electionsUseTheDelayThatClaimsHaveLearned() {
        List<Timing> timings = new ArrayList<>();
        LoneNode lone = new LoneNode(
                new HighestUp() {
                    @Override
                    public Election create(Membership membership, Timing timing, Options options) {
                        timings.add(timing);
                        return super.create(membership, timing, options);
                    }
                },
                RankOrder.JOIN_ORDER,
                0);
        lone.list("/quick", N2, 1, 0, 0);
        lone.contend(1, "/quick");
        lone.unanswered(send -> send.message() instanceof Claim);
        lone.contend(2, "/late");
        lone.advance(100);
        lone.list("/slow", N3, 1, 0, 0);
        lone.contend(3, "/slow");
        assertThat(timings).containsExactly(new Timing(20_000_000), new Timing(40_000_000));
    }
}
