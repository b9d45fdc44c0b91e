package io.quorate;

/** How the client stands with the voters; the names and their order are Curator's. */
public enum ConnectionState {

    /** A majority of voters supports this node, for the first time. */
    CONNECTED,

    /**
     * No majority was heard for three heartbeats. With the default policy a leader still leads: its lease runs until
     * {@link #LOST}.
     */
    SUSPENDED,

    /** A majority supports this node again, after {@link #SUSPENDED} or {@link #LOST}. */
    RECONNECTED,

    /** The majority's support has run out. At this instant all leadership of this client has ended. */
    LOST,

    /** Never sent. It exists because {@code switch} statements that were written for Curator name it. */
    READ_ONLY;

    /**
     * {@return whether a majority of voters supports the node in this state} It is true for {@link #READ_ONLY} too, as
     * in Curator.
     */
    public boolean isConnected() {
        return this != SUSPENDED && this != LOST;
    }
}
