package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Trace;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.Blockade;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
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
}
