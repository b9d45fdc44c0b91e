package io.quorate.engine;

/** How a node stands with the voters; what the application sees as its connection state. */
public enum Connection {
    /** Before the first majority. */
    NONE,
    /** For the first time, a majority of voters supports this node. */
    CONNECTED,
    /** No majority was heard for three heartbeats; support, and with it leadership, has not run out yet. */
    SUSPENDED,
    /** A majority supports this node again. */
    RECONNECTED,
    /** The majority's support has run out: at this instant every tenure of the node has ended. */
    LOST
}
