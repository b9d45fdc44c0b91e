package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.spi.NodeId;
import java.util.Optional;

/** What a node does with the frames by which lives meet: what {@link Post} does, without messages. */
final class Handshake {

    private static final byte[] BODY = {1};

    private Handshake() {}

    /**
     * What became of a frame.
     *
     * @param held   what was held until then, and is heard now
     * @param answer what leaves at once
     */
    record Heard(DecodedFrame opened, Optional<DecodedFrame> held, Optional<byte[]> answer) {

        boolean isAccepted() {
            return opened instanceof Accepted;
        }

        /** Whether its life has taken the place of another. */
        boolean isFirst() {
            return opened instanceof Accepted accepted && accepted.isNewIncarnation();
        }
    }

    static Heard hear(Links at, byte[] frame, long now) {
        DecodedFrame opened = at.open(frame, now);
        if (opened instanceof Dropped dropped) {
            Optional<byte[]> question = dropped.unanswered() > 0 ? Optional.of(at.question(dropped)) : Optional.empty();
            return new Heard(opened, Optional.empty(), question);
        }
        Accepted accepted = (Accepted) opened;
        Optional<DecodedFrame> held = at.takeHeld(accepted, now).map(before -> before);
        Optional<byte[]> answer = accepted.passed().envelope().kind() == Envelope.Kind.QUESTION
                ? Optional.of(at.answer(accepted))
                : at.hears(accepted.from(), now, 1) ? Optional.empty() : at.question(accepted, now);
        return new Heard(opened, held, answer);
    }

    /** The first says something, and both answer until nobody has more to say. Nothing is owed then. */
    static void meet(Links a, NodeId idOfA, Links b, NodeId idOfB, long now) {
        Optional<byte[]> next = a.seal(idOfB, BODY, BODY.length, now);
        assertThat(next).as("what begins it").isPresent();
        for (Links at = b; next.isPresent(); at = at == b ? a : b) {
            next = hear(at, next.get(), now).answer();
        }
        b.seal(idOfA, BODY, 0, now).ifPresent(word -> a.open(word, now));
        assertThat(a.hears(idOfB, now, 1)).as("the first hears the other").isTrue();
        assertThat(b.hears(idOfA, now, 1)).as("the other hears the first").isTrue();
    }
}
