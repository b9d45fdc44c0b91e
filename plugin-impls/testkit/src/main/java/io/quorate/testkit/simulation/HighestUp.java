package io.quorate.testkit.simulation;

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
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** The smallest election: everybody names the highest process that it does not suspect. For tests of the core alone. */
public class HighestUp implements ElectionAlgorithm {

    /** The one message, which nobody sends; tests use it to show that messages reach a machine. */
    public record Ping(int number) implements Message {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(number);
        }
    }

    @Override
    public String name() {
        return "highest-up";
    }

    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return Set.of(Guarantee.EVENTUAL_AGREEMENT, Guarantee.HIGHEST_LEADS);
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        return new Machine(membership);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        return new Ping(in.readUnsigned(Integer.MAX_VALUE));
    }

    @Override
    public long usualFailover(Timing timing, int size) {
        return 0;
    }

    private record Suspects(Set<Integer> suspects) implements Election.State {
        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(suspects.size());
            suspects.forEach(out::writeUnsigned);
        }
    }

    private static final class Machine implements Election {
        private final Membership membership;
        private Set<Integer> suspects = new TreeSet<>();

        private Machine(Membership membership) {
            this.membership = membership;
        }

        @Override
        public List<Effect> on(long now, Event event) {
            if (event instanceof Event.Suspected suspected) {
                suspects.add(suspected.process());
            } else if (event instanceof Event.Trusted trusted) {
                suspects.remove(trusted.process());
            } else if (event instanceof Event.Received) {
                return List.of();
            }
            return List.of(new Effect.Nominate(leader().orElseThrow(), Mark.NONE));
        }

        @Override
        public OptionalInt leader() {
            for (int process = membership.contenders() - 1; process >= 0; process--) {
                if (!suspects.contains(process)) {
                    return OptionalInt.of(process);
                }
            }
            return OptionalInt.of(membership.self());
        }

        @Override
        public boolean isParticipating() {
            return false;
        }

        @Override
        public State snapshot() {
            return new Suspects(new TreeSet<>(suspects));
        }

        @Override
        public void restore(State state) {
            suspects = new TreeSet<>(((Suspects) state).suspects);
        }
    }
}
