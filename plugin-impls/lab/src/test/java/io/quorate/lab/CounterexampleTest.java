package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.election.RollCall;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Violation;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.Properties;
import io.quorate.testkit.model.Step.What;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Mark;
import io.quorate.testkit.picture.Words;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Each step of a counterexample is in its recording, and nothing else. */
class CounterexampleTest {

    /** Process 0 sends one ping to process 1, which counts what it receives. */
    private static final class Pings extends HighestUp {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Counter(membership.self());
        }
    }

    private record Count(int received) implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(received);
        }
    }

    private static final class Counter implements Election {
        private final int self;
        private Count state = new Count(0);

        private Counter(int self) {
            this.self = self;
        }

        @Override
        public List<Effect> on(long now, Event event) {
            if (event instanceof Event.Received) {
                state = new Count(state.received + 1);
            }
            return event instanceof Event.Start && self == 0
                    ? List.of(new Effect.Send(1, new HighestUp.Ping(0)))
                    : List.of();
        }

        @Override
        public OptionalInt leader() {
            return OptionalInt.empty();
        }

        @Override
        public boolean isParticipating() {
            return false;
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

    private static ModelChecker rollCall() {
        return ModelChecker.of(new RollCall(), Options.HARDENED, 2).withoutDetector();
    }

    private static Violation reach(ModelChecker check, Predicate<World> goal) {
        return check.always("never", goal.negate()).mustBreak("never");
    }

    private static long steps(Violation violation, What what) {
        return violation.run().stream()
                .filter(moment -> moment.step().what() == what)
                .count();
    }

    private static long arrows(Recording recording, Fate fate) {
        return recording.messages().stream()
                .filter(message -> message.fate() == fate)
                .count();
    }

    private static Recording drawn(Violation violation) {
        Recording recording = Counterexample.recording(violation, Words.PLAIN, "title", "story");
        assertThat(recording.end()).isEqualTo((violation.run().size() + 1) * 1000L);
        assertThat(arrows(recording, Fate.ARRIVED))
                .isEqualTo(steps(violation, What.RECEIVED)
                        + steps(violation, What.COPIED)
                        + steps(violation, What.IGNORED));
        assertThat(arrows(recording, Fate.LOST)).isEqualTo(steps(violation, What.LOST));
        World last = violation.run().get(violation.run().size() - 1).after();
        assertThat(arrows(recording, Fate.ON_ITS_WAY)).isEqualTo(last.messages());
        assertThat(recording.marks())
                .extracting(Mark::text)
                .filteredOn(text -> text.contains("IS BROKEN"))
                .hasSize(1);
        return recording;
    }

    @Test
    void twoLeadersAfterALossAreSeen() {
        Violation violation =
                rollCall().losses(2).always("OneLeader", Properties::oneLeader).mustBreak("OneLeader");
        Recording recording = drawn(violation);
        assertThat(recording.conflicts()).singleElement().satisfies(conflict -> {
            assertThat(conflict.leaders()).containsExactly("P0", "P1");
            assertThat(conflict.from()).isEqualTo(violation.run().size() * 1000L);
        });
    }

    // What is sent to a dead process is not in the world of the checker, and what was on its way to it leaves it.
    @Test
    void messagesToADeadProcessAreVisible() {
        Violation violation =
                reach(rollCall().crashes(1), world -> !world.isAlive(1) && world.messages() == 0 && leads(world, 0));
        Recording recording = drawn(violation);
        assertThat(arrows(recording, Fate.MISSED)).isPositive();
        assertThat(recording.messages().stream().filter(message -> message.fate() == Fate.MISSED))
                .allSatisfy(message -> assertThat(message.to()).isEqualTo("P1"));
        assertThat(recording.lives())
                .filteredOn(life -> life.process().equals("P1"))
                .singleElement()
                .satisfies(life -> assertThat(life.until()).isLessThan(recording.end()));
    }

    @Test
    void aCopyIsSeenTwice() {
        Violation violation = reach(pings().duplicates(1), world -> pingsAt(world) == 2);
        assertThat(drawn(violation).messages()).hasSize(2).allSatisfy(message -> assertThat(message.sent())
                .isZero());
        assertThat(steps(violation, What.COPIED)).isEqualTo(1);
    }

    @Test
    void aMessageOfAFormerLifeIsSeen() {
        Violation violation = reach(
                pings().crashes(1).restarts(1),
                world -> world.incarnation(0) == 2 && pingsAt(world) == 1 && world.messages() == 0);
        assertThat(steps(violation, What.IGNORED)).isEqualTo(1);
        assertThat(drawn(violation).marks()).extracting(Mark::text).anySatisfy(text -> assertThat(text)
                .contains("of a former life"));
    }

    private static ModelChecker pings() {
        return ModelChecker.of(new Pings(), Options.HARDENED, 2).withoutDetector();
    }

    private static int pingsAt(World world) {
        return world.isAlive(1) ? ((Count) world.state(1)).received() : 0;
    }

    private static boolean leads(World world, int process) {
        return world.isAlive(process)
                && world.leader(process).isPresent()
                && world.leader(process).getAsInt() == process;
    }
}
