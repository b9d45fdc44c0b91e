package io.quorate.spi;

import java.util.Objects;

/** What an {@link Election} wants done. The driver performs the effects of one event in order, after the event. */
public sealed interface Effect {

    /** Send to one process. A ring of one may send to itself; the driver delivers that like any message. */
    record Send(int to, Message message) implements Effect {
        public Send {
            Objects.requireNonNull(message, "message");
        }
    }

    /**
     * Set the timer of this name, in place of one that is pending under it. The driver draws the delay from
     * {@code delayMin <= delay <= delayMax}, in the unit of {@link Timing}.
     */
    record SetTimer(String timer, long delayMin, long delayMax) implements Effect {
        public SetTimer {
            Objects.requireNonNull(timer, "timer");
            Check.argument(0 <= delayMin && delayMin <= delayMax, "timer %s: delay %d to %d must be a range from 0 up",
                    timer, delayMin, delayMax);
        }

        /** A timer with one delay. */
        public SetTimer(String timer, long delay) {
            this(timer, delay, delay);
        }
    }

    /** Cancel the timer of this name, if it is pending. */
    record CancelTimer(String timer) implements Effect {
        public CancelTimer {
            Objects.requireNonNull(timer, "timer");
        }
    }

    /** The output of the algorithm: this process should lead (the document's indication of a leader). */
    record Nominate(int nominee, Mark mark) implements Effect {
        public Nominate {
            Objects.requireNonNull(mark, "mark");
        }
    }

    /** The output of the algorithm: nobody, for the time being. Given by hardened variants only. */
    record NoNominee() implements Effect {
    }

    /** Keep these bytes for the next life of the process; given only with {@link Options#persistence()}. */
    record Save(Event.Saved saved) implements Effect {
        public Save {
            Objects.requireNonNull(saved, "saved");
        }
    }
}
