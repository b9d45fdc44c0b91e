package io.quorate.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.model.ModelChecker.Clocks;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What a check may bound, forget, remember and time; on machines so small that their states can be counted by hand. */
class ModelCheckerWorldTest {

    /** How many events of interest there were, and when the last one was. */
    private record Count(int number, long at) implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(number);
            out.writeLong(at);
        }
    }

    /** A process that counts; {@code rule} says what it does with an event, and with the count before. */
    private static final class Counting implements Election {
        private final BiFunction<Counting, Event, List<Effect>> rule;
        private final int self;
        private Count count = new Count(0, 0);
        private long now;

        private Counting(int self, BiFunction<Counting, Event, List<Effect>> rule) {
            this.self = self;
            this.rule = rule;
        }

        private void countTo(int number) {
            count = new Count(number, now);
        }

        @Override
        public List<Effect> on(long time, Event event) {
            now = time;
            return rule.apply(this, event);
        }

        @Override
        public OptionalInt leader() {
            return OptionalInt.of(self);
        }

        @Override
        public boolean isParticipating() {
            return false;
        }

        @Override
        public State snapshot() {
            return count;
        }

        @Override
        public void restore(State former) {
            count = (Count) former;
        }
    }

    private static ModelChecker check(int size, BiFunction<Counting, Event, List<Effect>> rule) {
        return ModelChecker.of(
                        new HighestUp() {
                            @Override
                            public Election create(Membership membership, Timing timing, Options options) {
                                return new Counting(membership.self(), rule);
                            }
                        },
                        Options.HARDENED,
                        size)
                .statesMax(1000);
    }

    private static int count(World world, int process) {
        return ((Count) world.state(process)).number();
    }

    /** Counts the firings of its one timer, for ever. */
    private static List<Effect> tick(Counting machine, Event event) {
        machine.countTo(machine.count.number() + (event instanceof Event.TimerFired ? 1 : 0));
        return List.of(new Effect.SetTimer("tick", 1));
    }

    // ---------------------------------------------------------------- constraint

    // 0, 1, 2 and 3, which is judged and not left.
    @Test
    void statesOutsideOfTheConstraintAreJudgedAndNotLeft() {
        Result result = check(1, ModelCheckerWorldTest::tick)
                .within(w -> count(w, 0) < 3)
                .verify(4);
        assertThat(result.states()).isEqualTo(4);
        assertThat(result.transitions()).isEqualTo(3);
        assertThat(result.cutOff()).isEqualTo(1);
        check(1, ModelCheckerWorldTest::tick)
                .within(w -> count(w, 0) < 3)
                .always("below 3", w -> count(w, 0) < 3)
                .mustBreak("below 3");
        assertThatThrownBy(() -> check(1, ModelCheckerWorldTest::tick).run()).hasMessageContaining("not bounded");
    }

    @Test
    void goalMayLieBehindTheConstraint() {
        check(1, ModelCheckerWorldTest::tick)
                .within(w -> count(w, 0) < 3)
                .alwaysPossible("five", w -> count(w, 0) == 5)
                .verify(4);
    }

    @Test
    void searchThatStopsSaysThatItDid() {
        Result result = check(1, ModelCheckerWorldTest::tick)
                .statesMax(10)
                .stopAtStatesMax()
                .alwaysPossible("hundred", w -> count(w, 0) == 100)
                .run();
        assertThat(result.cutOff()).isEqualTo(1);
        assertThat(result.violation()).isEmpty();
        assertThat(check(1, (machine, event) -> List.of()).run().cutOff()).isZero();
    }

    // ---------------------------------------------------------------- normal form

    @Test
    void normalFormMakesOneOfManyStates() {
        NormalForm modulo3 = (state, elapsed) -> new Count(((Count) state).number() % 3, 0);
        Result result =
                check(1, ModelCheckerWorldTest::tick).normalForm(modulo3).verify(3);
        assertThat(result.states()).isEqualTo(3);
        assertThat(result.cutOff()).isZero();
    }

    // Process 0 sends its count at each tick; process 1 keeps what it gets.
    @Test
    void normalFormIsTakenOfMessagesToo() {
        BiFunction<Counting, Event, List<Effect>> rule = (machine, event) -> {
            if (event instanceof Event.Received received) {
                machine.countTo(((HighestUp.Ping) received.message()).number());
                return List.of();
            }
            if (machine.self == 1) {
                return List.of();
            }
            machine.countTo(machine.count.number() + 1);
            return List.of(
                    new Effect.Send(1, new HighestUp.Ping(machine.count.number())), new Effect.SetTimer("tick", 1));
        };
        NormalForm modulo3 = new NormalForm() {
            @Override
            public Election.State of(Election.State state, long elapsed) {
                return new Count(((Count) state).number() % 3, 0);
            }

            @Override
            public Message of(Message message) {
                return new HighestUp.Ping(((HighestUp.Ping) message).number() % 3);
            }
        };
        Result result = check(2, rule)
                .normalForm(modulo3)
                .always(
                        "what was sent",
                        w -> w.messages() == 0 || w.message(0).message().equals(new HighestUp.Ping(count(w, 0))))
                .verify(6);
        // Each of three counts, with the message on its way and after it.
        assertThat(result.states()).isEqualTo(6);
    }

    // ---------------------------------------------------------------- clocks

    /** Process 0 has timers of 2 and 3, process 1 one of 4; the count is that of the last timer that fired. */
    private static List<Effect> timers(Counting machine, Event event) {
        if (event instanceof Event.TimerFired fired) {
            machine.countTo(Integer.parseInt(fired.timer()));
            return List.of();
        }
        return machine.self == 1
                ? List.of(new Effect.SetTimer("4", 4))
                : List.of(new Effect.SetTimer("2", 2), new Effect.SetTimer("3", 3));
    }

    private static ModelChecker timed(Clocks clocks) {
        NormalForm ages =
                (state, elapsed) -> new Count(((Count) state).number(), Math.max(((Count) state).at() - elapsed, -5));
        return check(2, ModelCheckerWorldTest::timers).clocks(clocks).normalForm(ages);
    }

    @Test
    void clocksDecideWhichTimerIsNext() {
        Result none = timed(Clocks.NONE).run();
        Result own = timed(Clocks.OWN)
                .reachable("the other is first", w -> count(w, 1) == 4 && count(w, 0) == 0)
                .run();
        Result common = timed(Clocks.COMMON)
                .always("the other is last", w -> count(w, 1) == 0 || count(w, 0) == 3)
                .run();
        // Of process 0: nothing, 2, 3, 2 and 3, 3 and 2; in each state process 1 before and after its timer.
        assertThat(none.states()).isEqualTo(10);
        // Without 3 before 2.
        assertThat(own.states()).isEqualTo(6);
        assertThat(own.reached()).hasSize(1);
        // One line.
        assertThat(common.states()).isEqualTo(4);
        assertThat(common.violation()).isEmpty();
    }

    // When the timer of 4 fires, the one of 3 fired 1 ago.
    @Test
    void timePassesForEverybodyWithACommonClock() {
        timed(Clocks.COMMON)
                .reachable("1 ago", w -> count(w, 1) == 4 && w.state(0).equals(new Count(3, -1)))
                .always("never longer", w -> ((Count) w.state(0)).at() >= -2)
                .verify(4);
        timed(Clocks.COMMON)
                .always("no age", w -> ((Count) w.state(0)).at() == 0)
                .mustBreak("no age");
        timed(Clocks.OWN)
                .always("no age but at the firing", w -> count(w, 0) != 3 || ((Count) w.state(0)).at() == 0)
                .verify(6);
    }

    // ---------------------------------------------------------------- histories, what is saved, detector

    /** Indicates a leader at each of three ticks, with these terms; -1 stands for nobody. */
    private static ModelChecker indicating(int... terms) {
        return check(1, (machine, event) -> {
                    if (!(event instanceof Event.TimerFired)) {
                        return List.of(new Effect.SetTimer("tick", 1));
                    }
                    int term = terms[machine.count.number()];
                    machine.countTo(machine.count.number() + 1);
                    Effect indication =
                            term < 0 ? new Effect.NoNominee() : new Effect.Nominate(0, new Mark(term, 0, 0));
                    return machine.count.number() == terms.length
                            ? List.of(indication)
                            : List.of(indication, new Effect.SetTimer("tick", 1));
                })
                .remembers(Indications.OF_EACH_LIFE)
                .always("BLE3", Indications::areMonotonic);
    }

    @Test
    void indicationsAreCompared() {
        indicating(1, 2, 4).verify(4);
        indicating(1, -1, 1).verify(4);
        indicating(1, 1).mustBreak("BLE3");
        indicating(2, 1).mustBreak("BLE3");
        indicating(2, -1, 1).mustBreak("BLE3");
        indicating(2, 1, 3, 4).mustBreak("BLE3");
        check(2, (machine, event) -> List.of(new Effect.Nominate(1, new Mark(1, 0, 0))))
                .remembers(Indications.OF_EACH_LIFE)
                .always("a mark names its leader", Indications::areMonotonic)
                .mustBreak("a mark names its leader");
    }

    /** Each life of process 0 indicates a lower term than the one before. */
    private static ModelChecker forgetful() {
        return check(
                        2,
                        (machine, event) -> machine.self == 0 && event instanceof Event.Start start
                                ? List.of(new Effect.Nominate(0, new Mark(10 - start.incarnation(), 0, 0)))
                                : List.of())
                .crashes(1)
                .restarts(1)
                .always("BLE3", Indications::areMonotonic);
    }

    @Test
    void historyOutlivesTheProcessIfItIsToldSo() {
        forgetful().remembers(Indications.OF_EACH_LIFE).verify(8);
        assertThat(forgetful()
                        .remembers(Indications.ACROSS_LIVES)
                        .mustBreak("BLE3")
                        .trace())
                .hasSize(2);
    }

    // The next life counts on from what the last one saved, and not from what it counted after that.
    @Test
    void processRestartsWithWhatItSaved() {
        BiFunction<Counting, Event, List<Effect>> rule = (machine, event) -> {
            if (event instanceof Event.Start start) {
                machine.countTo(start.saved().isEmpty() ? 0 : 10 + start.saved().bytes()[0]);
                return machine.self == 1 || start.incarnation() > 1
                        ? List.of()
                        : List.of(new Effect.SetTimer("save", 1));
            }
            boolean isSaving =
                    event instanceof Event.TimerFired fired && fired.timer().equals("save");
            machine.countTo(machine.count.number() + (event instanceof Event.TimerFired ? 1 : 0));
            return !isSaving
                    ? List.of()
                    : List.of(new Effect.Save(new Event.Saved(new byte[] {7})), new Effect.SetTimer("count", 1));
        };
        check(2, rule)
                .crashes(1)
                .restarts(1)
                .reachable("nothing was saved", w -> w.incarnation(0) == 2 && w.isAlive(0) && count(w, 0) == 0)
                .reachable("7 was saved", w -> w.incarnation(0) == 2 && w.isAlive(0) && count(w, 0) == 17)
                .always(
                        "nothing else is known",
                        w -> !w.isAlive(0) || w.incarnation(0) == 1 || count(w, 0) == 0 || count(w, 0) == 17)
                .verify(10);
    }

    @Test
    void withoutADetectorNobodyIsSuspected() {
        assertThat(check(2, (machine, event) -> List.of()).crashes(1).run().handled())
                .contains("Suspected");
        Result result = check(2, (machine, event) -> List.of())
                .crashes(1)
                .withoutDetector()
                .run();
        assertThat(result.handled()).containsExactly("Start");
        assertThat(result.states()).isEqualTo(3);
    }

    // ---------------------------------------------------------------- for good

    // A count modulo 3 comes to 0 again and again, and never stays there; modulo 1 it does.
    @Test
    void goalForGoodMustBeKept() {
        check(1, ModelCheckerWorldTest::tick)
                .normalForm((state, elapsed) -> new Count(((Count) state).number() % 3, 0))
                .alwaysPossible("zero", w -> count(w, 0) == 0)
                .verify(3);
        check(1, ModelCheckerWorldTest::tick)
                .normalForm((state, elapsed) -> new Count(((Count) state).number() % 3, 0))
                .alwaysPossibleForGood("zero", w -> count(w, 0) == 0)
                .mustBreak("zero");
        check(1, ModelCheckerWorldTest::tick)
                .normalForm((state, elapsed) -> new Count(Math.min(((Count) state).number(), 3), 0))
                .alwaysPossibleForGood("three", w -> count(w, 0) == 3)
                .verify(4);
    }
}
