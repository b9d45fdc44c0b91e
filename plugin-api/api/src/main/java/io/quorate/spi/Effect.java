package io.quorate.spi;

import java.util.Objects;

/**
 * An action that an {@link Election} requests. The driver performs the effects of one event in order, after the event.
 * Processes are numbers of the {@link Membership}.
 */
public sealed interface Effect {

    /**
     * Send a message to one process. A ring of one may send to itself; the driver delivers that like any message.
     *
     * @param to      the receiver
     * @param message the message
     */
    record Send(int to, Message message) implements Effect {
        /**
         * A message on its way.
         *
         * @param to      a number of the membership
         * @param message not null
         * @throws NullPointerException if {@code message} is null
         */
        public Send {
            Objects.requireNonNull(message, "message");
        }
    }

    /**
     * Set the timer of this name, in place of one that is pending under it. The driver draws the delay at random from
     * {@code delayMin <= delay <= delayMax}.
     *
     * @param timer    the name of the timer
     * @param delayMin the shortest delay, in the unit of {@link Timing}
     * @param delayMax the longest delay, in the unit of {@link Timing}
     */
    record SetTimer(String timer, long delayMin, long delayMax) implements Effect {
        /**
         * A timer with a range of delays.
         *
         * @param timer    not null
         * @param delayMin at least 0
         * @param delayMax at least {@code delayMin}
         * @throws NullPointerException     if {@code timer} is null
         * @throws IllegalArgumentException if the delays are no such range
         */
        public SetTimer {
            Objects.requireNonNull(timer, "timer");
            Check.argument(
                    0 <= delayMin && delayMin <= delayMax,
                    "timer %s: delay %d to %d must be a range from 0 up",
                    timer,
                    delayMin,
                    delayMax);
        }

        /**
         * A timer with one delay, so that the driver draws nothing.
         *
         * @param timer not null
         * @param delay at least 0, in the unit of {@link Timing}
         * @throws NullPointerException     if {@code timer} is null
         * @throws IllegalArgumentException if the delay is negative
         */
        public SetTimer(String timer, long delay) {
            this(timer, delay, delay);
        }
    }

    /**
     * Cancel the timer of this name, if it is pending.
     *
     * @param timer the name of the timer
     */
    record CancelTimer(String timer) implements Effect {
        /**
         * A timer to cancel.
         *
         * @param timer not null
         * @throws NullPointerException if {@code timer} is null
         */
        public CancelTimer {
            Objects.requireNonNull(timer, "timer");
        }
    }

    /**
     * The output of the algorithm: this process should lead. It is the document's indication of a leader.
     *
     * @param nominee the process that should lead
     * @param mark    orders the nominations of one election
     */
    record Nominate(int nominee, Mark mark) implements Effect {
        /**
         * A nomination.
         *
         * @param nominee a number of the membership
         * @param mark    not null; {@link Mark#NONE} from a variant that gives no marks
         * @throws NullPointerException if {@code mark} is null
         */
        public Nominate {
            Objects.requireNonNull(mark, "mark");
        }
    }

    /** The output of the algorithm: for the time being nobody should lead. Only hardened variants give it. */
    record NoNominee() implements Effect {}

    /**
     * Keep these bytes for the next life of the process. Only a machine with {@link Options#persistence()} gives it.
     *
     * @param saved the bytes, in place of those that were saved before
     */
    record Save(Event.Saved saved) implements Effect {
        /**
         * Bytes to keep.
         *
         * @param saved not null
         * @throws NullPointerException if {@code saved} is null
         */
        public Save {
            Objects.requireNonNull(saved, "saved");
        }
    }
}
