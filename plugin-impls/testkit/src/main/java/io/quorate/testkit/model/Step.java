package io.quorate.testkit.model;

import io.quorate.testkit.model.ModelChecker.Sent;
import java.util.List;
import java.util.Optional;

/**
 * The next step of a run that a check has found.
 *
 * @param words   in a few words, with processes as P0, P1
 * @param what    of which kind it is
 * @param process to which it happens; of a message, the one that it is for
 * @param message what it is about, if it is about a message
 * @param sent    what the process sends then, in this order; also to processes that do not run
 */
public record Step(String words, What what, int process, Optional<Sent> message, List<Sent> sent) {

    /** Kinds of steps. */
    public enum What {
        /** A message arrives, and is handled. */
        RECEIVED,
        /** A message of a former life arrives, and is not handled. */
        IGNORED,
        /** A message is lost. */
        LOST,
        /** A message arrives, and will arrive once more. */
        COPIED,
        /** A process runs for the first time. */
        STARTED,
        /** A process comes back. */
        RESTARTED,
        /** A process crashes. */
        CRASHED,
        /** A timer fires. */
        TIMER,
        /** A process suspects another one. */
        SUSPECTED,
        /** A process trusts another one again. */
        TRUSTED,
        /** A process is told of other priorities. */
        PRIORITIES
    }
}
