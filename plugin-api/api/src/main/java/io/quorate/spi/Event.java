package io.quorate.spi;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/** What can happen to an {@link Election}. Processes are named by their index in the {@link Membership}. */
public sealed interface Event {

    /**
     * The process starts. Always the first event, and given once.
     *
     * @param incarnation   larger at every start of this process; 1 in its first life
     * @param saved         what the former life asked to {@link Effect.Save}, empty if nothing
     * @param initialLeader a configured leader, given in the first life only
     */
    record Start(long incarnation, Saved saved, OptionalInt initialLeader) implements Event {
        /** A first life with nothing saved and no configured leader. */
        public static final Start FRESH = new Start(1, Saved.NOTHING, OptionalInt.empty());

        public Start {
            Check.argument(incarnation >= 1, "incarnation %d: must be at least 1", incarnation);
            Objects.requireNonNull(saved, "saved");
            Objects.requireNonNull(initialLeader, "initialLeader");
        }
    }

    /** A message of this election, from a process of its membership other than this one (a ring of one excepted). */
    record Received(int from, Message message) implements Event {
        public Received {
            Objects.requireNonNull(message, "message");
        }
    }

    /** The timer that was last set under this name has run out. Never given for one that was replaced or cancelled. */
    record TimerFired(String timer) implements Event {
        public TimerFired {
            Objects.requireNonNull(timer, "timer");
        }
    }

    /** The failure detector suspects the process. Only this and {@link Trusted} change the set of suspects. */
    record Suspected(int process) implements Event {
    }

    /** The failure detector no longer suspects the process. */
    record Trusted(int process) implements Event {
    }

    /** The application changed the priorities at the leader (three-phase group election only). */
    record PrioritiesChanged(List<Long> priorities) implements Event {
        public PrioritiesChanged {
            priorities = List.copyOf(priorities);
        }
    }

    /** The bytes of an {@link Effect.Save}; an immutable value. */
    final class Saved {
        /** Nothing was saved. */
        public static final Saved NOTHING = new Saved(new byte[0]);

        private final byte[] bytes;

        public Saved(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        public byte[] bytes() {
            return bytes.clone();
        }

        public boolean isEmpty() {
            return bytes.length == 0;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Saved that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return Arrays.toString(bytes);
        }
    }
}
