package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.path.ContenderState.ASIDE;
import static io.quorate.core.path.ContenderState.CLAIMING;
import static io.quorate.core.path.ContenderState.ELECTING;
import static io.quorate.core.path.ContenderState.GONE;
import static io.quorate.core.path.ContenderState.JOINING;
import static io.quorate.core.path.ContenderState.LEADING;
import static io.quorate.core.path.ContenderState.LEAVING;
import static io.quorate.core.path.ContenderState.OUT;
import static io.quorate.core.path.ContenderState.RESTING;
import static io.quorate.core.path.ContenderState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.Contexts;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.Blockade;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/architecture.md#contender-states */
class LocalContenderTest {

    private final List<String> trace = new ArrayList<>();
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
            (path, number, state, reason) -> trace.add(path + " " + number + " " + state),
            1);
    private final LocalContender contender = new LocalContender("/app/leader", 7, "p", 0, 3);

    private ClaimAttempt attempt() {
        return new ClaimAttempt(new Blockade(context, new SupportHeld(context)), false);
    }

    private void claim(long term) {
        contender.beginClaim(context, attempt(), term, "it is nominated");
    }

    private void lead(long token) {
        claim(token);
        contender.lead(context, new Lease(new Epoch[3], 1_000));
    }

    @Test
    void aWholeLifeIsTraced() {
        contender.onPlace(context, 1);
        contender.become(context, ELECTING, "nobody leads");
        contender.become(context, ELECTING, "nobody leads, still");
        contender.become(context, WAITING, "its own vote is given away");
        claim(1);
        contender.stop(context, RESTING, "its claim has failed");
        lead(2);
        contender.stop(context, ASIDE, "it was given up");
        contender.become(context, RESTING, "the application sent it back");
        contender.stop(context, GONE, "it was closed");
        assertThat(trace)
                .containsExactly(
                        "/app/leader 7 RESTING",
                        "/app/leader 7 ELECTING",
                        "/app/leader 7 WAITING",
                        "/app/leader 7 CLAIMING",
                        "/app/leader 7 RESTING",
                        "/app/leader 7 CLAIMING",
                        "/app/leader 7 LEADING",
                        "/app/leader 7 ASIDE",
                        "/app/leader 7 RESTING",
                        "/app/leader 7 GONE");
    }

    @Test
    void aLeaderLeavesOrStays() {
        contender.onPlace(context, 1);
        lead(2);
        contender.leave(context, new Departure(1, Departure.Cause.RANK, "n2 ranks better", Optional.empty()));
        assertThat(contender.isLeading()).isTrue();
        assertThat(contender.departure()).isNotNull();
        contender.stay(context, "it need not");
        assertThat(contender.departure()).isNull();
        contender.leave(context, new Departure(1, Departure.Cause.RANK, "n2 ranks better", Optional.empty()));
        contender.stop(context, ASIDE, "n2 ranks better");
        assertThat(contender.departure()).isNull();
        assertThat(trace)
                .endsWith(
                        "/app/leader 7 LEADING",
                        "/app/leader 7 LEAVING",
                        "/app/leader 7 LEADING",
                        "/app/leader 7 LEAVING",
                        "/app/leader 7 ASIDE");
    }

    @Test
    void nobodyLeavesWhoDoesNotLead() {
        contender.onPlace(context, 1);
        assertThatThrownBy(
                        () -> contender.leave(context, new Departure(1, Departure.Cause.RANK, "x", Optional.empty())))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whoHasNoPlaceDoesNotClaim() {
        assertThatThrownBy(() -> claim(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is JOINING and cannot become CLAIMING");
    }

    @Test
    void aTenureDoesNotEndByAWordAlone() {
        contender.onPlace(context, 1);
        lead(1);
        assertThatThrownBy(() -> contender.become(context, OUT, "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is LEADING and cannot become OUT (x)");
    }

    @Test
    void nobodyLeadsWithoutAClaim() {
        contender.onPlace(context, 1);
        assertThatThrownBy(() -> contender.become(context, LEADING, "x")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aClaimTakesItsAttemptWithIt() {
        contender.onPlace(context, 1);
        claim(1);
        contender.claim().setTimer(context.timers().set(50, () -> {}));
        assertThat(context.timers().size()).isEqualTo(1);
        contender.stop(context, RESTING, "its claim has failed");
        assertThat(context.timers().size()).isZero();
        assertThatThrownBy(contender::claim).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aLeaderForgetsItsFailures() {
        contender.onPlace(context, 1);
        contender.backOff(context, 0, 1);
        assertThat(contender
                        .backOff()
                        .orElseThrow()
                        .quietUntil(context.settings().lease(), 1))
                .isPositive();
        lead(1);
        assertThat(contender.backOff()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ContenderState.class)
    void nobodyComesBackOnceGone(ContenderState state) {
        assertThat(state.mayBecome(GONE)).isTrue();
        assertThat(GONE.mayBecome(state)).isEqualTo(state == GONE);
    }

    @ParameterizedTest
    @EnumSource(ContenderState.class)
    void onlyAClaimLeads(ContenderState state) {
        assertThat(state.mayBecome(LEADING))
                .isEqualTo(EnumSet.of(CLAIMING, LEADING, LEAVING).contains(state));
        assertThat(LEADING.mayBecome(state))
                .isEqualTo(EnumSet.of(LEADING, LEAVING, OUT, ASIDE, GONE).contains(state));
        assertThat(state.mayBecome(LEAVING))
                .isEqualTo(EnumSet.of(LEADING, LEAVING).contains(state));
        assertThat(LEAVING.mayBecome(state))
                .isEqualTo(EnumSet.of(LEAVING, LEADING, OUT, ASIDE, GONE).contains(state));
    }

    @ParameterizedTest
    @EnumSource(ContenderState.class)
    void votersListWhoJoinsOrHasItsPlace(ContenderState state) {
        assertThat(state.isRegistered()).isEqualTo(!EnumSet.of(OUT, ASIDE, GONE).contains(state));
        assertThat(state.hasPlace()).isEqualTo(state.isRegistered() && state != JOINING);
    }
}
