package io.quorate.core;

/** How this node stands with the voters, as the application is told: DECISIONS 27. */
final class Standing {

    private final Context context;
    private Connection connection = Connection.NONE;
    private boolean isConnected;
    private long connectedSince;
    private int connections;

    Standing(Context context) {
        this.context = context;
    }

    Connection connection() {
        return connection;
    }

    /** Whether a majority of voters supports this node. */
    boolean isConnected() {
        return isConnected;
    }

    /** Since when; only while {@link #isConnected}. */
    long connectedSince() {
        return connectedSince;
    }

    /** Whether it has been so ever since this node found its first majority. */
    boolean isFirst() {
        return connections == 1;
    }

    /** A majority supports this node, or no longer. Answers whether that is a change. */
    boolean connected(boolean isNow) {
        boolean isChange = isNow != isConnected;
        isConnected = isNow;
        if (isChange && isNow) {
            connectedSince = context.now();
            connections++;
        }
        return isChange;
    }

    /** Whether the application was told that no majority is heard. Then no leadership begins before it hears more. */
    boolean isSuspended() {
        return connection == Connection.SUSPENDED;
    }

    /**
     * Tells the application what is new. Answers whether a suspension has ended.
     *
     * @param isHeard whether a majority was heard within three heartbeats
     */
    boolean tell(boolean isHeard) {
        boolean wasSuspended = isSuspended();
        if (isConnected) {
            switch (connection) {
                case NONE -> become(Connection.CONNECTED);
                case LOST -> become(Connection.RECONNECTED);
                case SUSPENDED -> become(isHeard ? Connection.RECONNECTED : Connection.SUSPENDED);
                default -> become(isHeard ? connection : Connection.SUSPENDED);
            }
        } else if (connection != Connection.NONE && connection != Connection.LOST) {
            // Whoever slept through the suspension sees it all the same: applications wait for this order.
            become(Connection.SUSPENDED);
            become(Connection.LOST);
        }
        return wasSuspended && connection == Connection.RECONNECTED;
    }

    /** The node has stopped. */
    void end() {
        isConnected = false;
        if (connection != Connection.NONE) {
            become(Connection.LOST);
        }
    }

    private void become(Connection next) {
        if (next != connection) {
            connection = next;
            context.emit(new NodeEffect.ConnectionChanged(next));
        }
    }
}
