package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import java.util.Optional;

/** Why and to whom a leader leaves that leads on until its application has finished its work: ADR-0096. */
final class Departure {

    /** Who wants it. A later cause takes the place of an earlier one. */
    enum Cause {
        /** Others rank better. It stays if that changes before its work is done. */
        RANK,
        /** It was transferred. */
        TRANSFER,
        /** The application resigns or closes, and ends the tenure itself. */
        APPLICATION
    }

    private final long number;
    private Cause cause;
    private String reason;
    private Optional<ContenderId> to;
    private boolean isDrained;

    /**
     * What is wanted.
     *
     * @param number tells it from the others of this node
     * @param to     whom leadership goes to if that one is up at the end; empty if the best may have it
     */
    Departure(long number, Cause cause, String reason, Optional<ContenderId> to) {
        this.number = number;
        this.cause = cause;
        this.reason = reason;
        this.to = to;
    }

    long number() {
        return number;
    }

    Cause cause() {
        return cause;
    }

    String reason() {
        return reason;
    }

    Optional<ContenderId> to() {
        return to;
    }

    /** Whether the application has finished its work. */
    boolean isDrained() {
        return isDrained;
    }

    void drained() {
        isDrained = true;
    }

    /** It is wanted for another cause too. */
    void join(Cause another, String why, Optional<ContenderId> whom) {
        if (another.compareTo(cause) >= 0) {
            cause = another;
            reason = why;
        }
        to = whom.or(() -> to);
    }
}
