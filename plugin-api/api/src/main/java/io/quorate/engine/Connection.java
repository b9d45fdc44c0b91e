package io.quorate.engine;

import io.quorate.ConnectionState;
import java.util.Optional;

/** How a node stands with the voters. */
public enum Connection {
    /** Before the first majority. */
    NONE(Optional.empty()),
    /** For the first time, a majority of voters supports this node. */
    CONNECTED(Optional.of(ConnectionState.CONNECTED)),
    /** No majority was heard for three heartbeats; support, and with it leadership, has not run out yet. */
    SUSPENDED(Optional.of(ConnectionState.SUSPENDED)),
    /** A majority supports this node again. */
    RECONNECTED(Optional.of(ConnectionState.RECONNECTED)),
    /** The majority's support has run out: at this instant every tenure of the node has ended. */
    LOST(Optional.of(ConnectionState.LOST));

    private final Optional<ConnectionState> state;

    Connection(Optional<ConnectionState> state) {
        this.state = state;
    }

    /** The state that the application sees; empty before the first majority. */
    public Optional<ConnectionState> state() {
        return state;
    }
}
