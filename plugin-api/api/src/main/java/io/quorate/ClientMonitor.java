package io.quorate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Watches a client: what its node does, what it knows of leaders, and how its callbacks fare. It is for meters,
 * recordings and status pages; an application that acts upon leadership has latches, selectors and observers for that.
 *
 * <p>Nothing is measured or kept for monitors while a client has none. {@link ElectionClient#addMonitor} says what a
 * new one hears first. All calls but {@link #callbackReturned} and {@link #drained} come one at a time and in order, on
 * the node's thread, on which the leases depend: a monitor must return within microseconds, and never wait. A monitor
 * that throws is logged once and hears nothing more of that thread. Each method does nothing by default.
 *
 * <p>Paths are as latches and selectors of the client have them, without its namespace.
 */
public interface ClientMonitor {

    /**
     * The leader of a path.
     *
     * @param id    the id of the latch or selector, as {@link Participant#getId} answers it; may be empty
     * @param node  the id of its node
     * @param token the fencing token, at least 1
     */
    record Leader(String id, String node, long token) {}

    /**
     * The connection has changed.
     *
     * @param state  the new state, never {@link ConnectionState#READ_ONLY}
     * @param reason why, in a sentence
     */
    default void connectionChanged(ConnectionState state, String reason) {
        // Nothing by default.
    }

    /**
     * Another leader, or none, is known of a path; or the client begins to use the path. It is told of all paths of the
     * latches, selectors and observers of the client. While the client is suspended, the leader that is known may have
     * been replaced; when it is lost, no leader is known.
     *
     * @param path   the path
     * @param former the leader that this monitor was told last, and that is not known any more; empty if nobody was
     *               known to lead, and if the path is new
     * @param leader empty if no leader is known; else its token is never below that of an earlier leader
     */
    default void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
        // Nothing by default.
    }

    /**
     * No latch, selector or observer of the client uses the path any more. Its leaderships there have ended before;
     * while the client is being closed, their end may also follow.
     *
     * @param path   the path
     * @param former the leader that this monitor was told last; empty if nobody was known to lead
     */
    default void forgotten(String path, Optional<Leader> former) {
        // Nothing by default.
    }

    /**
     * A latch or selector of this client leads from now on.
     *
     * @param path  its path, which {@link #leaderChanged} has named before
     * @param token the fencing token, at least 1
     */
    default void leads(String path, long token) {
        // Nothing by default.
    }

    /**
     * A leadership of this client has ended.
     *
     * @param path   its path
     * @param token  the fencing token that it had
     * @param reason why, in a sentence
     */
    default void leadsNoMore(String path, long token, String reason) {
        // Nothing by default.
    }

    /**
     * Other voters support this node from now on. It is connected with a majority of all voters.
     *
     * @param supporters the ids of the voters that support this node; may be empty. Immutable
     */
    default void supportersChanged(List<String> supporters) {
        // Nothing by default.
    }

    /**
     * A voter is heard from now on, or is not. With one-way faults a voter may be heard and not support this node.
     *
     * @param voter   the id of the voter; a node that votes always hears itself
     * @param isHeard whether a frame of it has arrived within the last three heartbeats
     */
    default void voterHeard(String voter, boolean isHeard) {
        // Nothing by default.
    }

    /**
     * A voter no longer votes. {@link #voterHeard} has told that it is not heard, and tells of it again when it comes
     * back.
     *
     * @param voter the id of the former voter; may be the node itself
     */
    default void voterLeft(String voter) {
        // Nothing by default.
    }

    /**
     * The support of the majority was renewed, as it is several times per second. The remaining time tells how near the
     * node came to losing its connection and its leaderships. Pauses and load reduce it.
     *
     * @param left how long the support would have lasted, more than 0
     */
    default void supportRenewed(Duration left) {
        // Nothing by default.
    }

    /**
     * The node's thread was late by more than a heartbeat: the process was paused, or has too little processor.
     *
     * @param late by how much
     */
    default void stalled(Duration late) {
        // Nothing by default.
    }

    /**
     * Frames were dropped; at most once a second for each reason, and once with 0 for each reason at the beginning.
     *
     * @param reason a word of lower-case letters and hyphens, as {@code other-secret}
     * @param count  how many were dropped for this reason since the client was started, 0 or more
     */
    default void framesDropped(String reason, long count) {
        // Nothing by default.
    }

    /**
     * A listener has returned from a callback. Called on the thread that ran it, for several listeners at the same
     * time.
     *
     * @param path      the path of the latch, selector or observer; empty for a connection listener of the client
     * @param callback  the name of the listener's method: {@code isLeader}, {@code notLeader}, {@code stateChanged} or
     *                  {@code leaderChanged}
     * @param took      how long it took, 0 or more
     * @param hasThrown whether it has thrown
     */
    default void callbackReturned(String path, String callback, Duration took, boolean hasThrown) {
        // Nothing by default.
    }

    /**
     * How the work of a leader came out that was to be finished before a planned end: see {@link LeaderLatch#drain}.
     */
    enum DrainOutcome {
        /** Its stage completed, also with an error; or there was none. */
        DONE,
        /** The bound came first. */
        TIMED_OUT,
        /** Leadership ended before: its lease was lost, or it was closed a second time. Or it does not end. */
        CUT
    }

    /**
     * The work of a leader is finished, or is waited for no longer. Called on a callback thread, for several latches at
     * the same time.
     *
     * @param path    the path of the latch or selector
     * @param outcome how it came out
     * @param took    how long the end was held up, 0 or more
     */
    default void drained(String path, DrainOutcome outcome, Duration took) {
        // Nothing by default.
    }

    /**
     * The client's node is closed, or has stopped by itself. This is the last call on the node's thread. All of the
     * client's leaderships have ended with it, even if {@link #leadsNoMore} was not called. After an internal error,
     * only the application is notified.
     *
     * @param reason why, in a sentence
     */
    default void stopped(String reason) {
        // Nothing by default.
    }
}
