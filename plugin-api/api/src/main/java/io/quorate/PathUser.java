package io.quorate;

import io.quorate.runtime.Engine;

/** Something that a client carries, which has to do with one path. */
interface PathUser {

    /** Relative to the client's namespace. */
    String path();

    /** Whether it has the path watched, in whatever way the node has to do with it otherwise. */
    boolean watches();

    /** Whether it was closed by the application. */
    boolean isClosed();

    /** The client runs; called once. */
    void join(Engine engine, String pathInCluster);

    /** It is to take no part any more. */
    void leave();

    /** The client is closed, and the engine will be. Answers what is left to do when that is. */
    Farewell closeWithClient();

    /**
     * Takes note of a connection state; called on the engine's thread, in order.
     *
     * @param endsLeadership whether a tenure ends with it, at once
     */
    void connectionChanged(ConnectionState connection, boolean endsLeadership);
}
