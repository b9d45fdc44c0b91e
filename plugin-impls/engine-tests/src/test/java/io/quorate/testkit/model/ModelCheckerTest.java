package io.quorate.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The checker itself, on machines so small that their states can be counted by hand. */
class ModelCheckerTest {

    /** Process 0 sends {@code count} pings to process 1, which counts them; process 1 leads when it has them all. */
    static final class Pings extends HighestUp {
        private final int count;

        Pings(int count) {
            this.count = count;
        }

        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Counter(membership.self(), count);
        }
    }

    record Count(int received, boolean isArmed) implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(received);
            out.writeBoolean(isArmed);
        }
    }

    private static final class Counter implements Election {
        private final int self;
        private final int count;
        private Count state = new Count(0, false);

        private Counter(int self, int count) {
            this.self = self;
            this.count = count;
        }

        @Override
        public List<Effect> on(long now, Event event) {
            List<Effect> effects = new ArrayList<>();
            if (event instanceof Event.Start && self == 0) {
                for (int i = 0; i < count; i++) {
                    effects.add(new Effect.Send(1, new HighestUp.Ping(i)));
                }
                effects.add(new Effect.SetTimer("again", 1));
                state = new Count(0, true);
            } else if (event instanceof Event.Received) {
                state = new Count(state.received + 1, false);
            } else if (event instanceof Event.TimerFired) {
                state = new Count(state.received, false);
            }
            return effects;
        }

        @Override
        public OptionalInt leader() {
            return state.received == count ? OptionalInt.of(1) : OptionalInt.empty();
        }

        @Override
        public boolean isParticipating() {
            return state.isArmed;
        }

        @Override
        public State snapshot() {
            return state;
        }

        @Override
        public void restore(State former) {
            state = (Count) former;
        }
    }

    private static ModelChecker pings(int count) {
        return ModelChecker.of(new Pings(count), Options.HARDENED, 2);
    }

    // Three pings in order, then the timer: a line of five states.
    @Test
    void orderedLinksGiveOneOrder() {
        Result result = pings(3).run();
        assertThat(result.states()).isEqualTo(5);
        assertThat(result.transitions()).isEqualTo(4);
        assertThat(result.depth()).isEqualTo(4);
        assertThat(result.handled()).containsExactlyInAnyOrder("Start", "Ping", "timer again");
    }

    // A search that stops finds the first only.
    @Test
    void eachBrokenPropertyHasItsShortestRun() {
        ModelChecker check = pings(3).always(
                        "no leader", world -> world.leader(1).isEmpty())
                .always("nothing", world -> world.messages() == 3)
                .alwaysPossible("armed", world -> world.isParticipating(0))
                .always("true", world -> true);
        assertThat(check.run().violations())
                .singleElement()
                .extracting(Violation::property)
                .isEqualTo("nothing");
        assertThat(check.findAll().run().violations())
                .extracting(one -> one.property() + " " + one.run().size())
                .containsExactly("nothing 1", "no leader 3", "armed 4");
    }

    // Every subset of three pings may be left: eight states, and the one after the timer.
    @Test
    void unorderedLinksGiveEveryOrder() {
        Result result = pings(3).links(Links.UNORDERED).run();
        assertThat(result.states()).isEqualTo(9);
        assertThat(result.transitions()).isEqualTo(3 * 4 + 1);
    }

    @Test
    void timerFiresWhenNothingIsOnItsWayOrOutOfTheBudget() {
        assertThat(pings(1).run().states()).isEqualTo(3);
        // The line without the budget, and beside each of its first two states one in which the timer has fired early.
        assertThat(pings(1).earlyTimeouts(1).run().states()).isEqualTo(5);
    }

    @Test
    void lossesAndCopiesCostTheirBudget() {
        pings(2).losses(1)
                .always(
                        "all pings are counted in the end",
                        w -> !w.isQuiet() || w.leader(1).isPresent())
                .mustBreak("all pings are counted in the end");
        pings(2).whenQuiet("all pings are counted in the end", w -> w.leader(1).isPresent())
                .verify(4);
        assertThat(pings(1).duplicates(1).run().states())
                .isGreaterThan(pings(1).run().states());
    }

    // A suspicion is noticed at any moment after the crash, also while messages are on their way.
    @Test
    void crashIsNoticedAtAnyLaterMoment() {
        Result result = pings(2).crashes(1)
                .reachable(
                        "a ping arrives after its sender's death was noticed", w -> !w.isAlive(0) && w.messages() == 1)
                .verify(10);
        assertThat(result.handled()).contains("Suspected");
    }

    @Test
    void restartForgetsAndFormerMessagesAreDropped() {
        Result result = pings(1).crashes(1)
                .restarts(1)
                .reachable("a second life", w -> w.incarnation(0) == 2)
                .whenQuiet("only one life's ping counts", w -> true)
                .verify(8);
        assertThat(result.handled()).contains("Suspected", "Trusted");
    }

    @Test
    void counterexampleIsShortestAndReplayed() {
        assertThat(pings(3).always("fewer than two pings", w -> w.messages() > 1)
                        .mustBreak("fewer than two pings")
                        .trace())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("P1 gets Ping[number=0] from P0");
    }

    @Test
    void goalThatCannotBeReachedAnyMoreIsFound() {
        pings(2).alwaysPossible("all pings", w -> w.leader(1).isPresent() && w.isQuiet())
                .verify(4);
        pings(2).losses(1)
                .alwaysPossible("all pings", w -> w.leader(1).isPresent())
                .mustBreak("all pings");
    }

    // Guards against a check that passes because nothing happens.
    @Test
    void emptyChecksFail() {
        assertThatThrownBy(() -> pings(1).verify(1000)).hasMessageContaining("only 3 states");
        assertThatThrownBy(() -> pings(1).reachable("the moon", w -> false).verify(1))
                .hasMessageContaining("the moon is reached in none of 3 states");
        assertThatThrownBy(() -> pings(1).always("x", w -> true).mustBreak("x")).hasMessageContaining("but must not");
        assertThatThrownBy(() -> pings(3).statesMax(2).run()).hasMessageContaining("not bounded");
    }
}
