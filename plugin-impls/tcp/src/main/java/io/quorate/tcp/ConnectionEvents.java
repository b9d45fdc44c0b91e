package io.quorate.tcp;

import io.quorate.spi.MalformedInputException;
import java.io.IOException;

/** Events of connections, which parts of the loop report to it. On the loop, except for {@link #later}. */
interface ConnectionEvents {

    @FunctionalInterface
    interface Action {
        void run() throws IOException, MalformedInputException;
    }

    /** Does it if the connection is not closed; what is thrown ends the connection and nothing else. */
    void guarded(Connection connection, Action action);

    /** Has the loop do something soon. Any thread. */
    void later(Runnable task);

    void onAccepted(Connection connection);

    /** It has been dialled, and is not there yet. */
    void onDialled(Connection connection);

    /** A peer was not reached. */
    void onNotReached(Peer peer, String reason);

    /** Both sides have shown their certificates. */
    void onSecured(Connection connection) throws IOException;

    /** A frame before admission. */
    void onGreeting(Connection connection, int type, byte[] body) throws IOException, MalformedInputException;

    /** It carries frames from now on. */
    void onAdmitted(Connection connection, Peer peer) throws IOException;

    /** The peer refuses this node, because another process of it has the place there. */
    void onPlaceTaken(Peer by, long life);

    /** BYE. */
    void onBye(Connection connection, byte[] body);

    /** It ends by itself or by the other side. */
    void end(Connection connection, String reason);

    /** It ends without a word of the log. */
    void close(Connection connection);

    /** An attempt to reach the peer has failed. */
    void onFailed(Peer peer);

    /** Whether nothing is received any more. */
    boolean isStopping();

    /** Whether connections end after their last words, and no others begin. */
    boolean isLeaving();
}
