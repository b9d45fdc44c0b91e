package io.quorate;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a client is at one moment, for the probes and the status page of an application; immutable.
 *
 * <p>Leadership is no part of health: most nodes do not lead, and are as they should be. Neither is the majority of the
 * moment part of readiness, unless {@link Readiness#CONNECTED} is asked for: else one outage takes every process out of
 * service at once.
 *
 * @param state      the state of the client
 * @param reason     why it is in this state, in one sentence
 * @param voters     the ids of all voters; empty before the client is started. Immutable
 * @param supporters the ids of the voters that support this node, as of its last turn; empty if it does not run.
 *                   Immutable
 * @param leads      the fencing token, at least 1, of each path that this client leads, by the path as latches and
 *                   selectors have it; empty if it leads none. Immutable
 * @param turnAge    how long ago the thread of the node last had a turn: a heartbeat at most, unless something blocks
 *                   it or the processor is busy. Zero if it does not run
 */
public record Health(
        State state,
        String reason,
        List<String> voters,
        List<String> supporters,
        SortedMap<String, Long> leads,
        Duration turnAge) {

    /** A node whose thread had no turn for so long does not come back by itself. */
    private static final Duration TURN_AGE_MAX = Duration.ofSeconds(30);

    /** The states of a client, from its beginning to its end. */
    public enum State {
        /** Not started, or no majority of voters has supported it since its start. */
        JOINING,
        /** A majority of voters supports it. */
        UP,
        /** As {@link #UP}, and it leads only where nobody else can: on standby, or not eligible. */
        STANDBY,
        /**
         * It had joined, and its connection is SUSPENDED or LOST, or its thread had no turn for a support time. It
         * comes back by itself, unless something blocks the thread for good.
         */
        DISCONNECTED,
        /** Its start has failed, or its node has stopped by itself. Only another client helps. */
        FAILED,
        /** It is closed, or being closed. */
        CLOSED
    }

    /** The condition under which a process is ready. */
    public enum Readiness {
        /**
         * It has joined once since its start, and is neither closed nor failed. It stays so through outages: a process
         * that is taken out of service then helps nobody.
         */
        JOINED,
        /** A majority of voters supports it at this moment. All processes may lack that at the same time. */
        CONNECTED
    }

    /**
     * A health with copies of the collections.
     *
     * @param state      not null
     * @param reason     not null
     * @param voters     copied
     * @param supporters copied
     * @param leads      copied
     * @param turnAge    not null
     * @throws NullPointerException if a component is null, or a list holds null
     */
    public Health {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reason, "reason");
        voters = List.copyOf(voters);
        supporters = List.copyOf(supporters);
        Objects.requireNonNull(turnAge, "turnAge");
        leads = Collections.unmodifiableSortedMap(new TreeMap<>(leads));
    }

    /**
     * {@return whether to let the process live} It is false in {@link State#FAILED}, and if the thread of the node had
     * no turn for 30 s. Else a restart helps nobody: it would only silence a voter for a support time.
     */
    public boolean isLive() {
        return state != State.FAILED && turnAge.compareTo(TURN_AGE_MAX) <= 0;
    }

    /**
     * {@return whether the process is ready}
     *
     * @param mode what makes it ready; {@link Readiness#JOINED} is the right one for nearly everybody
     */
    public boolean isReady(Readiness mode) {
        return switch (mode) {
            case JOINED -> state == State.UP || state == State.STANDBY || state == State.DISCONNECTED;
            case CONNECTED -> state == State.UP || state == State.STANDBY;
        };
    }

    @Override
    public String toString() {
        return state + ": " + reason + "; supported by " + supporters + " of voters " + voters + ", leads " + leads;
    }
}
