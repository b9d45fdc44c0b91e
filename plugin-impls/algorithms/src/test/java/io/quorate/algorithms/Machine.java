package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import java.util.ArrayList;
import java.util.List;

/** One machine that a test drives by events in the notation of the traces. */
public final class Machine {

    private final Election election;
    private final Notation notation;

    /** A machine that was not started yet. */
    public Machine(Election election, Notation notation) {
        this.election = election;
        this.notation = notation;
    }

    /** Gives one event; answers with its effects, in order. */
    public List<String> on(String event) {
        return on(0, event);
    }

    /** Gives one event at a time. */
    public List<String> on(long now, String event) {
        return notation.show(election.on(now, notation.parseEvent(event)), election);
    }

    /** Gives one event. */
    public List<Effect> on(Event event) {
        return election.on(0, event);
    }

    /** Gives one event, which must have something saved; answers with that. */
    public Event.Saved savedBy(String event) {
        List<Effect> effects = on(notation.parseEvent(event));
        // Before any message, or a crash in between could give the term out twice.
        assertThat(effects.get(0)).isInstanceOf(Effect.Save.class);
        return ((Effect.Save) effects.get(0)).saved();
    }

    /** Gives several events; answers with the effects of the last one. */
    public List<String> after(String... events) {
        List<String> effects = new ArrayList<>();
        for (String event : events) {
            effects = on(event);
        }
        return effects;
    }

    /** The machine itself. */
    public Election election() {
        return election;
    }

    /** The leader as the traces write it, 0 for none. */
    public int leader() {
        return election.leader().orElse(-1) + 1;
    }
}
