package io.quorate.spi;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/** An event of an {@link Election}. Processes are numbers of the {@link Membership}. */
public sealed interface Event {

    /**
     * The process starts. This is always the first event, and comes once.
     *
     * @param incarnation   the number of this life of the process; 1 in its first life, and higher in each later one
     * @param saved         the bytes that the former life gave to {@link Effect.Save}; empty if there are none
     * @param initialLeader a configured leader; present at most in the first life
     */
    record Start(long incarnation, Saved saved, OptionalInt initialLeader) implements Event {
        /** A first life with nothing saved and no configured leader. */
        public static final Start FRESH = new Start(1, Saved.NOTHING, OptionalInt.empty());

        /**
         * A start.
         *
         * @param incarnation   at least 1
         * @param saved         not null
         * @param initialLeader not null
         * @throws IllegalArgumentException if {@code incarnation} is less than 1
         * @throws NullPointerException     if {@code saved} or {@code initialLeader} is null
         */
        public Start {
            Check.argument(incarnation >= 1, "incarnation %d: must be at least 1", incarnation);
            Objects.requireNonNull(saved, "saved");
            Objects.requireNonNull(initialLeader, "initialLeader");
        }
    }

    /**
     * A message of this election has arrived from another process of its membership. In a ring of one it may come from
     * this process.
     *
     * @param from    the sender
     * @param message the message
     */
    record Received(int from, Message message) implements Event {
        /**
         * A message that has arrived.
         *
         * @param from    a number of the membership
         * @param message not null
         * @throws NullPointerException if {@code message} is null
         */
        public Received {
            Objects.requireNonNull(message, "message");
        }
    }

    /**
     * The timer that was last set under this name has run out. A timer that was replaced or cancelled never fires.
     *
     * @param timer the name of the timer
     */
    record TimerFired(String timer) implements Event {
        /**
         * A timer that has run out.
         *
         * @param timer not null
         * @throws NullPointerException if {@code timer} is null
         */
        public TimerFired {
            Objects.requireNonNull(timer, "timer");
        }
    }

    /**
     * The failure detector suspects the process. Only this and {@link Trusted} change the set of suspects.
     *
     * @param process another process of the membership
     */
    record Suspected(int process) implements Event {}

    /**
     * The failure detector no longer suspects the process.
     *
     * @param process another process of the membership
     */
    record Trusted(int process) implements Event {}

    /**
     * The application changed the priorities at the leader. Only three-phase group election knows it.
     *
     * @param priorities one for each process, in the order of their numbers; immutable
     */
    record PrioritiesChanged(List<Long> priorities) implements Event {
        /**
         * New priorities.
         *
         * @param priorities copied
         * @throws NullPointerException if {@code priorities} is null or holds null
         */
        public PrioritiesChanged {
            priorities = List.copyOf(priorities);
        }
    }

    /** The bytes of an {@link Effect.Save}; an immutable value. */
    final class Saved {
        /** Nothing was saved. */
        public static final Saved NOTHING = new Saved(new byte[0]);

        private final byte[] bytes;

        /**
         * Bytes that were saved.
         *
         * @param bytes copied
         * @throws NullPointerException if {@code bytes} is null
         */
        public Saved(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        /** {@return a copy of the bytes} */
        public byte[] bytes() {
            return bytes.clone();
        }

        /** {@return whether nothing was saved} */
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
