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

/** An algorithm that takes down every event, and at the next one wants done what the test says. */
final class RecordingAlgorithm extends HighestUp {

    private final List<Event> events = new ArrayList<>();
    private List<Effect> wanted = List.of();
    private OptionalInt leader = OptionalInt.empty();

    private record Nothing() implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(0);
        }
    }

    /** The effects of the next event; those after it have none. */
    public void wants(Effect... effects) {
        wanted = List.of(effects);
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
        return new Election() {
            @Override
            public List<Effect> on(long now, Event event) {
                events.add(event);
                List<Effect> effects = wanted;
                wanted = List.of();
                return effects;
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
