package io.quorate.compare;

/** The client of a process that contends, on either side. */
interface LatchClient {

    /**
     * Connects, and waits until it is.
     *
     * @param onSuspended called each time the connection is SUSPENDED
     * @param onLost      called each time it is LOST
     */
    void connect(Runnable onSuspended, Runnable onLost) throws Exception;

    /** Starts a latch; answers it. The listeners are called as the side calls listeners. */
    Latch open(String path, Runnable onLeader, Runnable onLost) throws Exception;

    /** One latch. */
    interface Latch {

        boolean hasLeadership();

        void close() throws Exception;

        /** The id of whoever leads. */
        String leader() throws Exception;

        /** How many contend. */
        int participants() throws Exception;
    }
}
