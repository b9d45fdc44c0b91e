package io.quorate.testkit.simulation;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Guarantee;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** An algorithm whose machines tell how they stand after each event. They run as they do without it. */
record WatchedAlgorithm(ElectionAlgorithm inner, Watcher watcher) implements ElectionAlgorithm {

    /** Is told of a step. */
    @FunctionalInterface
    interface Watcher {
        void handled(Event event, Election.State state);
    }

    private record Machine(Election inner, Watcher watcher) implements Election {
        @Override
        public List<Effect> on(long now, Event event) {
            List<Effect> effects = inner.on(now, event);
            watcher.handled(event, inner.snapshot());
            return effects;
        }

        @Override
        public OptionalInt leader() {
            return inner.leader();
        }

        @Override
        public boolean isParticipating() {
            return inner.isParticipating();
        }

        @Override
        public State snapshot() {
            return inner.snapshot();
        }

        @Override
        public void restore(State state) {
            inner.restore(state);
        }
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return inner.guarantees(variant);
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        return new Machine(inner.create(membership, timing, options), watcher);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        return inner.readMessage(in);
    }

    @Override
    public long usualFailover(Timing timing, int size) {
        return inner.usualFailover(timing, size);
    }

    @Override
    public boolean countsVoters() {
        return inner.countsVoters();
    }

    @Override
    public Optional<Message> answerAsWitness(int witness, Message request) {
        return inner.answerAsWitness(witness, request);
    }
}
