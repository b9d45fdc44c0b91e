package io.quorate.runtime;

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
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOError;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@link HighestUp} with one fault, as a plug-in may have it. */
final class BrokenAlgorithm implements ElectionAlgorithm {

    /** Where it breaks the rules. */
    enum Fault {
        READ,
        CREATE,
        STEP,
        STEP_ERROR,
        NOMINATE_STRANGER,
        SEND_TO_STRANGER,
        WRITE,
        WITNESS,
        WITNESS_ERROR
    }

    private final HighestUp sound = new HighestUp();
    private final Fault fault;

    BrokenAlgorithm(Fault fault) {
        this.fault = fault;
    }

    private void failAt(Fault where) {
        if (fault == where) {
            throw new IllegalStateException("broken at " + where);
        }
    }

    private void failWithErrorAt(Fault where) {
        if (fault == where) {
            throw new NoClassDefFoundError("broken at " + where);
        }
    }

    @Override
    public String name() {
        return "broken";
    }

    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return Set.of();
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        failAt(Fault.CREATE);
        return new Machine(sound.create(membership, timing, options), membership);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        failAt(Fault.READ);
        return sound.readMessage(in);
    }

    @Override
    public long usualFailover(Timing timing, int size) {
        return 0;
    }

    @Override
    public boolean countsVoters() {
        return fault == Fault.WITNESS || fault == Fault.WITNESS_ERROR;
    }

    @Override
    public Optional<Message> answerAsWitness(int witness, Message request) {
        failAt(Fault.WITNESS);
        if (fault == Fault.WITNESS_ERROR) {
            throw new IOError(new IOException("broken at " + fault));
        }
        return Optional.empty();
    }

    private final class Machine implements Election {
        private final Election machine;
        private final Membership membership;

        private Machine(Election machine, Membership membership) {
            this.machine = machine;
            this.membership = membership;
        }

        @Override
        public List<Effect> on(long now, Event event) {
            failAt(Fault.STEP);
            failWithErrorAt(Fault.STEP_ERROR);
            int all = membership.size();
            if (!(event instanceof Event.Start)) {
                return List.of();
            }
            return switch (fault) {
                case NOMINATE_STRANGER -> List.of(new Effect.Nominate(all, Mark.NONE));
                case SEND_TO_STRANGER -> List.of(new Effect.Send(-1, new HighestUp.Ping(1)));
                case WRITE -> List.of(new Effect.Send((membership.self() + 1) % all, out -> failAt(Fault.WRITE)));
                default -> List.of(new Effect.Send(all - 1 - membership.self() % 2, new HighestUp.Ping(1)));
            };
        }

        @Override
        public OptionalInt leader() {
            return machine.leader();
        }

        @Override
        public boolean isParticipating() {
            return machine.isParticipating();
        }

        @Override
        public State snapshot() {
            return machine.snapshot();
        }

        @Override
        public void restore(State state) {
            machine.restore(state);
        }
    }
}
