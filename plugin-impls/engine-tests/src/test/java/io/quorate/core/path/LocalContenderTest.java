package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.Contexts;
import io.quorate.core.path.ContenderState.Aside;
import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.path.ContenderState.Electing;
import io.quorate.core.path.ContenderState.Gone;
import io.quorate.core.path.ContenderState.Idle;
import io.quorate.core.path.ContenderState.Joining;
import io.quorate.core.path.ContenderState.Leader;
import io.quorate.core.path.ContenderState.Leading;
import io.quorate.core.path.ContenderState.Leaving;
import io.quorate.core.path.ContenderState.Out;
import io.quorate.core.path.ContenderState.Placed;
import io.quorate.core.path.ContenderState.Registered;
import io.quorate.core.path.ContenderState.Resting;
import io.quorate.core.path.ContenderState.Waiting;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

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
            (path, number, state, reason) -> trace.add(path + " " + number + " " + state.getSimpleName()),
            1);
    private final LocalContender contender = new LocalContender("/app/leader", 7, "p", 0, 3);

    private Claiming attempt() {
        return new Claiming("it is nominated", new Blockade(context, new SupportHeld(context)), false, 0);
    }

    private static Leaving leaving() {
        return new Leaving(1, Leaving.Cause.RANK, "n2 ranks better", Optional.empty(), false);
    }

    private void claim(long term) {
        contender.beginClaim(context, attempt(), term);
    }

    private void lead(long token) {
        claim(token);
        contender.lead(context, new Lease(new Epoch[3], 1_000));
    }

    @Test
    void aWholeLifeIsTraced() {
        contender.onPlace(context, 1);
        contender.become(context, new Electing("nobody leads"));
        contender.become(context, new Electing("nobody leads, still"));
        assertThat(contender.state().reason()).endsWith("still");
        contender.become(context, new Waiting("its own vote is given away", OptionalLong.of(5)));
        claim(1);
        contender.stop(context, new Resting("its claim has failed"));
        lead(2);
        contender.stop(context, new Aside("it was given up"));
        contender.become(context, new Resting("the application sent it back"));
        contender.stop(context, new Gone("it was closed"));
        assertThat(trace)
                .containsExactly(
                        "/app/leader 7 Resting",
                        "/app/leader 7 Electing",
                        "/app/leader 7 Waiting",
                        "/app/leader 7 Claiming",
                        "/app/leader 7 Resting",
                        "/app/leader 7 Claiming",
                        "/app/leader 7 Leading",
                        "/app/leader 7 Aside",
                        "/app/leader 7 Resting",
                        "/app/leader 7 Gone");
    }

    @Test
    void aLeaderLeavesOrStays() {
        contender.onPlace(context, 1);
        lead(2);
        contender.become(context, leaving());
        assertThat(contender.isLeading()).isTrue();
        assertThat(contender.leaving()).isNotNull();
        contender.become(context, new Leading("it need not"));
        assertThat(contender.leaving()).isNull();
        contender.become(context, leaving());
        contender.stop(context, new Aside("n2 ranks better"));
        assertThat(contender.leaving()).isNull();
        assertThat(trace)
                .endsWith(
                        "/app/leader 7 Leading",
                        "/app/leader 7 Leaving",
                        "/app/leader 7 Leading",
                        "/app/leader 7 Leaving",
                        "/app/leader 7 Aside");
    }

    @Test
    void nobodyLeavesWhoDoesNotLead() {
        contender.onPlace(context, 1);
        assertThatThrownBy(() -> contender.become(context, leaving())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void contenderWithoutAPlaceDoesNotClaim() {
        assertThatThrownBy(() -> claim(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is Joining[reason=its application contends] and cannot become ");
    }

    @Test
    void aTenureDoesNotEndByAWordAlone() {
        contender.onPlace(context, 1);
        lead(1);
        assertThatThrownBy(() -> contender.become(context, new Out("x")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "is Leading[reason=a majority of voters backs its claim] and cannot become Out[reason=x]");
    }

    @Test
    void nobodyLeadsWithoutAClaim() {
        contender.onPlace(context, 1);
        assertThatThrownBy(() -> contender.become(context, new Leading("x"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aClaimTakesItsAttemptWithIt() {
        contender.onPlace(context, 1);
        claim(1);
        contender.claim().setTimer(context.timers().set(50, () -> {}));
        assertThat(context.timers().size()).isEqualTo(1);
        contender.stop(context, new Resting("its claim has failed"));
        assertThat(context.timers().size()).isZero();
        assertThatThrownBy(contender::claim).isInstanceOf(ClassCastException.class);
    }

    @Test
    void aLeaderForgetsItsFailures() {
        contender.onPlace(context, 1);
        contender.backOff(context, "test", 0, 1);
        assertThat(contender
                        .backOff()
                        .orElseThrow()
                        .quietUntil(context.settings().lease(), 1))
                .isPositive();
        lead(1);
        assertThat(contender.backOff()).isEmpty();
    }

    /** One of each kind. */
    private List<ContenderState> states() {
        return List.of(
                new Joining("test"),
                new Resting("test"),
                new Electing("test"),
                new Waiting("test", OptionalLong.empty()),
                attempt(),
                new Leading("test"),
                leaving(),
                new Out("test"),
                new Aside("test"),
                new Gone("test"));
    }

    private static String name(ContenderState state) {
        return state.getClass().getSimpleName();
    }

    private static Set<String> kinds(Class<?> of) {
        Set<String> kinds = new TreeSet<>();
        Class<?>[] narrower = of.getPermittedSubclasses();
        if (narrower == null) {
            kinds.add(of.getSimpleName());
        } else {
            List.of(narrower).forEach(each -> kinds.addAll(kinds(each)));
        }
        return kinds;
    }

    // The picture leaves out Gone, which follows each state, and the way back to Joining of those that lose their
    // place.
    @Test
    void documentedPictureShowsEachTransition() throws IOException {
        assertThat(states()).extracting(LocalContenderTest::name).hasSameElementsAs(kinds(ContenderState.class));
        Set<String> possible = new TreeSet<>(Set.of("[*] --> Joining"));
        for (ContenderState from : states()) {
            for (ContenderState to : states()) {
                boolean isUndrawn = to instanceof Gone || to instanceof Joining && from instanceof Placed;
                if (from.mayBecome(to) && !name(from).equals(name(to)) && !isUndrawn) {
                    possible.add(name(from) + " --> " + name(to));
                }
            }
        }
        String picture = Files.readString(Path.of("..", "..", "plugin-api", "docs", "architecture.md"))
                .replaceFirst("(?s).*## Contender states.*?stateDiagram-v2", "")
                .replaceFirst("(?s)```.*", "");
        Set<String> drawn = new TreeSet<>();
        picture.lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> drawn.add(line.strip().replaceAll(":.*", "")));
        assertThat(drawn).isEqualTo(possible);
    }

    @Test
    void anyStateEndsAndTheEndIsFinal() {
        for (ContenderState state : states()) {
            assertThat(state.mayBecome(new Gone("test"))).isTrue();
            assertThat(new Gone("test").mayBecome(state)).isEqualTo(state instanceof Gone);
        }
    }

    @Test
    void onlyAClaimLeads() {
        for (ContenderState state : states()) {
            assertThat(state.mayBecome(new Leading("test")))
                    .as(name(state))
                    .isEqualTo(Set.of("Claiming", "Leading", "Leaving").contains(name(state)));
            assertThat(state.mayBecome(leaving()))
                    .as(name(state))
                    .isEqualTo(Set.of("Leading", "Leaving").contains(name(state)));
        }
    }

    @Test
    void aMajorityThatIsLostTakesThePlaceOfThoseThatDoNotLead() {
        for (ContenderState state : states()) {
            assertThat(state.mayBecome(new Joining("test")))
                    .as(name(state))
                    .isEqualTo(state instanceof Registered && !(state instanceof Leader) || state instanceof Out);
        }
    }

    @Test
    void votersListContendersThatJoinOrHaveTheirPlace() {
        assertThat(kinds(Registered.class)).hasSize(7).doesNotContain("Out", "Aside", "Gone");
        assertThat(kinds(Placed.class)).hasSize(6).doesNotContain("Joining");
        assertThat(kinds(Idle.class)).containsExactly("Electing", "Resting", "Waiting");
        assertThat(kinds(Leader.class)).containsExactly("Leading", "Leaving");
    }
}
