package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.Experiment.End;
import io.quorate.testkit.simulation.Experiment.Figures;
import io.quorate.testkit.simulation.Experiment.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** That what is measured is what happened, with an algorithm of which everything can be foretold. */
class ExperimentTest {

    private static final Scenario.Setup SETUP =
            new Scenario.Setup(3, 0, true, RankOrder.NODE_ID, false, 200, 1000, 10, 1000);

    private static Scenario scenario(String... faults) {
        List<Fault> all = new ArrayList<>();
        List.of("n1", "n2", "n3").forEach(node -> all.add(Fault.parse("at 0 until 999999 contend " + node + "/a")));
        List.of(faults).forEach(fault -> all.add(Fault.parse(fault)));
        return new Scenario(1, SETUP, all);
    }

    private static Figures unleased(String... faults) {
        return Experiment.run(scenario(faults), new HighestUp(), Mode.UNLEASED_HARDENED);
    }

    private static Figures leased(String... faults) {
        return Experiment.run(scenario(faults), new HighestUp(), Mode.LEASED);
    }

    @Test
    void nothingHappensInTheQuiet() {
        Figures quiet = unleased();
        assertThat(quiet.ends()).containsExactly(End.ONE);
        assertThat(quiet).extracting(Figures::leadersMax, Figures::changes).containsExactly(1, 0);
        assertThat(quiet)
                .extracting(Figures::together, Figures::leaderless, Figures::useless)
                .containsOnly(0L);
        // Three nodes, two others each, every 200 ms.
        assertThat(quiet.messagesPerSecond()).isBetween(29L, 31L);
    }

    @Test
    void partitionHasALeaderOnEachSideWithoutALeaseAndOneWithIt() {
        String partition = "at 5000 until 15000 cut n3-*";
        Figures alone = unleased(partition);
        assertThat(alone.leadersMax()).as("one alone, and n2 for n1").isEqualTo(2);
        // From the suspicion after 400 to 600 ms to the first heartbeat after the end.
        assertThat(alone.together()).isBetween(9550L, 9850L);
        assertThat(alone.useless()).isBetween(299L, 452L);
        assertThat(alone.leaderless()).isZero();
        assertThat(alone.ends()).containsExactly(End.ONE);
        Figures leased = leased("at 5000 until 15000 cut leader-*");
        assertThat(leased.leadersMax()).isEqualTo(1);
        assertThat(leased.leaderless())
                .as("the old one leads until its lease ends")
                .isBetween(1L, 400L);
        assertThat(leased.useless()).isBetween(800L, 1100L);
    }

    @Test
    void crashLeavesNobodyUntilTheSuspicion() {
        Figures figures = unleased("at 5000 until 15000 crash leader");
        assertThat(figures.leaderless()).isEqualTo(figures.useless()).isBetween(299L, 452L);
        assertThat(figures.changes()).as("n2, and n3 again").isEqualTo(2);
    }

    @Test
    void leaderThatHearsNobodyIsOfNoUse() {
        Figures figures = unleased("at 5000 until 15000 cut *>leader");
        assertThat(figures.leaderless()).isZero();
        assertThat(figures.useless()).isEqualTo(Experiment.NEVER);
    }

    @Test
    void pausedLeaderStillTakesItselfForIt() {
        Figures figures = unleased("at 5000 until 15000 pause leader");
        assertThat(figures.leadersMax()).isEqualTo(2);
        assertThat(figures.useless()).isBetween(299L, 452L);
    }

    @Test
    void clusterThatIsDownHasNeverALeader() {
        Figures figures = unleased(
                "at 5000 until 15000 crash n1", "at 5000 until 15000 crash n2", "at 5000 until 15000 crash n3");
        assertThat(figures.leaderless()).isEqualTo(Experiment.NEVER);
        assertThat(figures.ends()).containsExactly(End.ONE);
    }

    /** {@link HighestUp} with something of a test's own. */
    private abstract static class Wrapped implements Election {
        private final Election sound;

        Wrapped(Membership membership, Timing timing, Options options) {
            sound = new HighestUp().create(membership, timing, options);
        }

        @Override
        public List<Effect> on(long now, Event event) {
            return sound.on(now, event);
        }

        @Override
        public OptionalInt leader() {
            return sound.leader();
        }

        @Override
        public boolean isParticipating() {
            return sound.isParticipating();
        }

        @Override
        public State snapshot() {
            return sound.snapshot();
        }

        @Override
        public void restore(State state) {
            sound.restore(state);
        }
    }

    /** Whoever has suspected somebody leads for ever. */
    private static final class Stubborn extends HighestUp {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Wrapped(membership, timing, options) {
                private boolean hasSuspected;

                @Override
                public List<Effect> on(long now, Event event) {
                    hasSuspected |= event instanceof Event.Suspected;
                    return super.on(now, event);
                }

                @Override
                public OptionalInt leader() {
                    return hasSuspected ? OptionalInt.of(membership.self()) : super.leader();
                }
            };
        }
    }

    @Test
    void leadersThatStayAfterHealingStayForEver() {
        Figures figures =
                Experiment.run(scenario("at 5000 until 6000 cut n2-n3"), new Stubborn(), Mode.UNLEASED_FAITHFUL);
        assertThat(figures.ends()).containsExactly(End.SEVERAL);
        assertThat(figures.leadersForEver()).isEqualTo(2);
        assertThat(figures.worse(unleased()).ends()).containsExactly(End.ONE, End.SEVERAL);
        assertThat(unleased().worse(figures).leadersMax()).isEqualTo(2);
    }

    // The lease allows for 10 %.
    @Test
    void secondLeaderUnderTheLeaseIsNoticed() {
        assertThatThrownBy(() -> leased(
                        "at 5000 until 15000 clock n1 40",
                        "at 5000 until 15000 clock n2 40",
                        "at 5000 until 15000 clock n3 40",
                        "at 5001 until 15000 clock leader -40",
                        "at 6000 until 15000 cut leader-*"))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("ONE_LEADER");
    }

    @Test
    void clusterWithoutOneLeaderIsNotMeasured() {
        assertThatThrownBy(() -> leased("at 1500 until 15000 cut *-*"))
                .isInstanceOf(BrokenRule.class)
                .hasMessageContaining("before the first fault");
    }

    /** Saves one byte more in each life. */
    private static final class Diary extends HighestUp {
        private int longest;

        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Wrapped(membership, timing, options) {
                @Override
                public List<Effect> on(long now, Event event) {
                    if (event instanceof Event.Start start) {
                        int length = start.saved().bytes().length;
                        longest = Math.max(longest, length);
                        return List.of(new Effect.Save(new Event.Saved(new byte[length + 1])));
                    }
                    return super.on(now, event);
                }
            };
        }
    }

    @Test
    void hostGivesBackWhatWasSaved() {
        Diary diary = new Diary();
        Experiment.run(
                scenario("at 5000 until 5500 crash n1", "at 6000 until 6500 shutdown n1"),
                diary,
                Mode.UNLEASED_HARDENED);
        assertThat(diary.longest).isEqualTo(2);
    }

    @Test
    void laterScenarioBeginsLaterForTheSameContenders() {
        Scenario later = scenario("at 5000 until 6000 crash n1").later(31);
        assertThat(later.faults())
                .contains(Fault.parse("at 5031 until 6031 crash n1"), Fault.parse("at 0 until 999999 contend n1/a"));
        assertThat(later.quietFrom()).isEqualTo(6031);
        assertThat(later.setup().nodes()).contains(new NodeId("n3"));
    }
}
