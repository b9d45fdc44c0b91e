package io.quorate.testkit.simulation;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** An algorithm that takes down every event, and at the next one wants done what the test says. */
public final class RecordingAlgorithm extends HighestUp {

    private static final Supplier<List<Effect>> NOTHING = List::of;

    private final List<Membership> memberships = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private Supplier<List<Effect>> wanted = NOTHING;
    private boolean countsVoters;
    private OptionalInt leader = OptionalInt.empty();

    private record Nothing() implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(0);
        }
    }

    /** The effects of the next event; those after it have none. */
    public void wants(Effect... effects) {
        wants(() -> List.of(effects));
    }

    /** What follows from the next event, which may be an error. */
    public void wants(Supplier<List<Effect>> outcome) {
        wanted = outcome;
    }

    /** From now on voters that do not contend answer in its elections. */
    public void countVoters() {
        countsVoters = true;
    }

    @Override
    public boolean countsVoters() {
        return countsVoters;
    }

    /** One for each machine, in the order of their creation. */
    public List<Membership> memberships() {
        return List.copyOf(memberships);
    }

    public void leader(OptionalInt process) {
        leader = process;
    }

    public List<Event> events() {
        return List.copyOf(events);
    }

    public List<Event> afterStart() {
        return events.stream().filter(event -> !(event instanceof Event.Start)).toList();
    }

    public void forget() {
        events.clear();
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        memberships.add(membership);
        return new Election() {
            @Override
            public List<Effect> on(long now, Event event) {
                events.add(event);
                Supplier<List<Effect>> outcome = wanted;
                wanted = NOTHING;
                return outcome.get();
            }

            @Override
            public OptionalInt leader() {
                return leader;
            }

            @Override
            public boolean isParticipating() {
                return false;
            }

            @Override
            public State snapshot() {
                return new Nothing();
            }

            @Override
            public void restore(State state) {
                throw new UnsupportedOperationException("nobody goes back");
            }
        };
    }
}
