package com.example.election;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Guarantee;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A sixth algorithm, as somebody outside would write it: everybody says "here" every three delta, and names the highest
 * that it has heard in the last rounds.
 */
public final class RollCall implements ElectionAlgorithm {

    private static final int KIND_HERE = 1;
    private static final int ROUNDS_MISSED_MAX = 4;

    /** I am here. */
    public record Here() implements Message {
        @Override
        public void writeTo(WireWriter out) {
            out.writeByte(KIND_HERE);
        }
    }

    /** For each process, how many rounds it has been silent; and whether the first round is over. */
    private record Absences(List<Integer> missed, boolean hasCounted) implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            missed.forEach(out::writeUnsigned);
            out.writeBoolean(hasCounted);
        }
    }

    @Override
    public String name() {
        return "roll-call";
    }

    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return Set.of(
                Guarantee.EVENTUAL_AGREEMENT,
                Guarantee.HIGHEST_LEADS,
                Guarantee.SELF_HEALING,
                Guarantee.NEEDS_NO_DETECTOR);
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        return new Machine(membership, timing);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        int kind = in.readByte();
        in.expectEnd();
        if (kind != KIND_HERE) {
            throw new MalformedInputException("message of unknown kind " + kind);
        }
        return new Here();
    }

    @Override
    public long usualFailover(Timing timing, int size) {
        return timing.deltas(3 * (ROUNDS_MISSED_MAX + 1));
    }

    private static final class Machine implements Election {
        private final Membership membership;
        private final Timing timing;
        private Absences absences;

        private Machine(Membership membership, Timing timing) {
            this.membership = membership;
            this.timing = timing;
            List<Integer> missed = new ArrayList<>();
            for (int process = 0; process < membership.contenders(); process++) {
                missed.add(process == membership.self() ? 0 : ROUNDS_MISSED_MAX);
            }
            absences = new Absences(List.copyOf(missed), false);
        }

        @Override
        public List<Effect> on(long now, Event event) {
            OptionalInt before = leader();
            List<Effect> effects = new ArrayList<>();
            if (event instanceof Event.Start) {
                call(effects);
            } else if (event instanceof Event.TimerFired) {
                count();
                call(effects);
            } else if (event instanceof Event.Received received && received.from() < membership.contenders()) {
                set(received.from(), 0);
            }
            if (!leader().equals(before)) {
                effects.add(new Effect.Nominate(leader().orElseThrow(), Mark.NONE));
            }
            return effects;
        }

        private void call(List<Effect> effects) {
            for (int other = 0; other < membership.contenders(); other++) {
                if (other != membership.self()) {
                    effects.add(new Effect.Send(other, new Here()));
                }
            }
            effects.add(new Effect.SetTimer("round", timing.deltas(3)));
        }

        private void count() {
            List<Integer> missed = new ArrayList<>();
            for (int process = 0; process < membership.contenders(); process++) {
                int rounds = Math.min(ROUNDS_MISSED_MAX, absences.missed.get(process) + 1);
                missed.add(process == membership.self() ? 0 : rounds);
            }
            absences = new Absences(List.copyOf(missed), true);
        }

        private void set(int process, int rounds) {
            List<Integer> missed = new ArrayList<>(absences.missed);
            missed.set(process, rounds);
            absences = new Absences(List.copyOf(missed), absences.hasCounted);
        }

        @Override
        public OptionalInt leader() {
            for (int process = membership.contenders() - 1; absences.hasCounted && process >= 0; process--) {
                if (absences.missed.get(process) < ROUNDS_MISSED_MAX) {
                    return OptionalInt.of(process);
                }
            }
            return OptionalInt.empty();
        }

        @Override
        public boolean isParticipating() {
            return !absences.hasCounted;
        }

        @Override
        public State snapshot() {
            return absences;
        }

        @Override
        public void restore(State state) {
            absences = (Absences) state;
        }
    }
}
