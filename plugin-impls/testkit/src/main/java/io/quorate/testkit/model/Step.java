package io.quorate.testkit.model;

import io.quorate.testkit.model.ModelChecker.Sent;
import java.util.List;
import java.util.Optional;

/**
 * What happens next in a run that a check has found.
 *
 * @param words   in a few words, with processes as P0, P1
 * @param what    of which kind it is
 * @param message what it is about, if it is about a message
 * @param sent    what the process sends then, in this order; also to processes that do not run
 */
public record Step(String words, What what, Optional<Sent> message, List<Sent> sent) {

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
        /** A process starts, comes back or crashes. */
        LIFE,
        /** A timer fires, or a process is suspected or trusted. */
        OTHER
    }
}
