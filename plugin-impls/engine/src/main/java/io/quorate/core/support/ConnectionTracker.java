package io.quorate.core.support;

import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.engine.Connection;
import java.util.OptionalLong;

/** How this node stands with the voters, as the application is told: ADR-0027. */
public final class ConnectionTracker {

    private final StepContext context;
    private final SupportHeld supportHeld;
    private final NodeLiveness liveness;
    private Connection connection = Connection.NONE;
    private boolean isConnected;
    /** Since when that is so; empty until the first majority is found. */
    private OptionalLong changedAt = OptionalLong.empty();

    private int connections;

    /** A node that has not found a majority yet. */
    public ConnectionTracker(StepContext context, SupportHeld supportHeld, NodeLiveness liveness) {
        this.context = context;
        this.supportHeld = supportHeld;
        this.liveness = liveness;
    }

    /** The state that the application was told last. */
    public Connection connection() {
        return connection;
    }

    /** Whether a majority of voters supports this node. */
    public boolean isConnected() {
        return isConnected;
    }

    /** Since when a majority has supported this node, which one does. */
    public long connectedSince() {
        return changedAt.orElseThrow();
    }

    /** Whether it has been so ever since this node found its first majority. */
    public boolean isFirst() {
        return connections == 1;
    }

    /** A majority supports this node, or no longer. Answers whether that is a change. */
    public boolean setConnected(boolean isNow) {
        boolean isChange = isNow != isConnected;
        isConnected = isNow;
        if (isChange) {
            changedAt = OptionalLong.of(context.now());
            connections += isNow ? 1 : 0;
        }
        return isChange;
    }

    /** Whether the application was told that no majority is heard. Then no leadership begins before it hears more. */
    public boolean isSuspended() {
        return connection == Connection.SUSPENDED;
    }

    /**
     * Whether the application was told of no majority yet, or that it is lost. Then this node knows of no leader: there
     * may be no voter that would tell of another leader, or of the end of the last one.
     */
    public boolean isOut() {
        return connection == Connection.NONE || connection == Connection.LOST;
    }

    /** When the majority's support or its word ends, if nothing else does before {@code next}. */
    public long nextEnd(long next) {
        long first = next;
        if (isConnected() && supportHeld.majorityUntil() - first < 0) {
            first = supportHeld.majorityUntil();
        }
        // At the next heartbeat the lease may be over: hearing a majority again takes time.
        if (connection == Connection.CONNECTED || connection == Connection.RECONNECTED) {
            long unheard = liveness.majorityHeardUntil() + 1;
            first = unheard - first < 0 ? unheard : first;
        }
        return first;
    }

    /**
     * Tells the application what is new: whether a majority supports this node, and was heard within three heartbeats.
     * Answers whether a suspension has ended.
     */
    public boolean tell() {
        boolean isHeard = liveness.hearsMajority();
        boolean wasSuspended = isSuspended();
        if (isConnected) {
            switch (connection) {
                case NONE -> become(Connection.CONNECTED, support());
                case LOST -> become(Connection.RECONNECTED, support());
                case SUSPENDED -> {
                    if (isHeard) {
                        become(Connection.RECONNECTED, support());
                    }
                }
                default -> {
                    if (!isHeard) {
                        become(Connection.SUSPENDED, silence());
                    }
                }
            }
        } else if (connection != Connection.NONE && connection != Connection.LOST) {
            // An application that missed the suspension still sees SUSPENDED before RECONNECTED, because it expects
            // this order.
            if (connection != Connection.SUSPENDED) {
                become(Connection.SUSPENDED, silence());
            }
            become(Connection.LOST, "no majority of voters supports this node any more; " + support());
        }
        return wasSuspended && connection == Connection.RECONNECTED;
    }

    /** The node has stopped. */
    public void end(String reason) {
        isConnected = false;
        if (connection != Connection.NONE && connection != Connection.LOST) {
            become(Connection.LOST, reason);
        }
    }

    private void become(Connection next, String reason) {
        connection = next;
        context.emit(new NodeEffect.ConnectionChanged(next, reason));
    }

    /** Why no leadership lasts: too few voters answer, or they answer too late. */
    private String silence() {
        String heard = "; heard: " + liveness.heardVoters();
        return liveness.hearsMajority()
                ? "a majority of voters answers too late: an answer counts for "
                        + context.lease().belief() / 1_000_000
                        + " ms from the sending of the heartbeat that it answers" + heard
                : "no majority of voters was heard for " + context.lease().suspicion() / 1_000_000 + " ms" + heard;
    }

    private String support() {
        return "supported by " + supportHeld.supporters() + " of " + context.voterCount() + " voters";
    }
}
