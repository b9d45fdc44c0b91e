package io.quorate.spi;

import io.quorate.spi.TransportProvider.HostAndPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Carries small binary frames between nodes, without a promise that they arrive. It may lose, delay, reorder and repeat
 * frames: the node copes with that. It must not queue frames without bound, block in {@link #send}, or write a line of
 * the log per frame.
 */
public interface Transport extends AutoCloseable {

    /** The length of the longest frame that a transport must carry, in bytes. */
    int FRAME_LENGTH_MAX = 64 * 1024;

    /**
     * The number of problems that a transport tells. One per peer and kind of fault fits for clusters of usual size.
     */
    int PROBLEMS_MAX = 64;

    /** Takes the frames that arrive. */
    @FunctionalInterface
    interface Receiver {
        /**
         * Takes one frame. Returns at once and throws nothing. Several threads of the transport may call it at one
         * time.
         *
         * @param sender the node that the sender has proved to be, for example by the certificate of its connection;
         *               empty if this transport asks for no proof. The sender's name in the frame proves nothing
         * @param frame any bytes, because received bytes may come from anyone; the transport does not change them
         *              afterwards
         * @return whether somebody sent it who may speak to this node, as far as can be told: it has the form of this
         *         library, its MAC is right if there is a secret, and it is in no other name than {@code sender}. A
         *         connection that has not carried such a frame for long does not lead to a node
         */
        boolean received(Optional<NodeId> sender, byte[] frame);

        /**
         * As {@link #received(Optional, byte[])}, and notes in {@code standing} what the frame was worth. A stranger
         * may have recorded what it sends, so a frame that was taken is news only after the node has compared it with
         * earlier ones.
         *
         * @param sender   as above
         * @param frame    as above
         * @param standing that of the connection which carried the frame; may change after this method has returned
         * @return as above
         */
        default boolean received(Optional<NodeId> sender, byte[] frame, Standing standing) {
            boolean isTaken = received(sender, frame);
            if (isTaken) {
                standing.onNews();
            }
            return isTaken;
        }

        /**
         * Whether so many frames wait that the transport should read no more for some milliseconds, and then go on in
         * turns with all peers. So a peer that sends too much delays only itself. A transport that cannot hold frames
         * back goes on: what finds no room is dropped. Any thread may call this, before each frame if it likes.
         *
         * @return by default false
         */
        default boolean isBehind() {
            return false;
        }

        /**
         * Tells which process this is. A transport that keeps one connection per node tells its peers, so that they can
         * tell a process that connects again from a second process under its id. Any thread may call this.
         *
         * @return by default {@link Life#UNKNOWN}
         */
        default Life life() {
            return Life.UNKNOWN;
        }

        /**
         * A peer refuses this node, because another process under its id has its place there. Called for each such
         * answer; while they come, the transport calls that peer again several times in a second. Returns at once and
         * throws nothing. Several threads of the transport may call it at one time.
         *
         * @param by   the peer that refuses, as far as this transport proves who is connected
         * @param life of the other process, at least 1; never the own one
         */
        default void onPlaceTaken(NodeId by, long life) {
            // By default a second process is not looked for.
        }
    }

    /**
     * One process of a node.
     *
     * @param name       another for each process of a node; 0 if there is none
     * @param placeNanos how long after its last frame a process keeps its place from another process under its id, in
     *                   nanoseconds, unless it has said that it leaves
     */
    record Life(long name, long placeNanos) {
        /** A process without a name: others cannot tell it from the next one. */
        public static final Life UNKNOWN = new Life(0, 0);
    }

    /**
     * Counts what a connection has carried: news of a node that lives, and copies, which a stranger may have recorded.
     * A frame that is neither changes nothing, for example the first frame of a new process. Any thread may use it.
     */
    class Standing {
        /** This number of copies in a row ends a connection. */
        public static final int COPIES_MAX = 16;

        private final AtomicInteger copies = new AtomicInteger();
        private volatile boolean isOfNode;

        /** Belongs to a connection that has carried nothing. */
        public Standing() {
            // Nothing is counted yet.
        }

        /** Notes a frame that is new, and whose sender has shown that it lives. */
        public void onNews() {
            isOfNode = true;
            copies.set(0);
        }

        /** Notes a frame that was taken, and is a copy of an earlier one. */
        public void onCopy() {
            copies.incrementAndGet();
        }

        /**
         * Sends a frame to the process that this connection leads to, which need not be the one at the address of its
         * node. The node refuses a second process in this way. Any thread may call this. It returns immediately, throws
         * nothing, and may lose the frame. A transport whose {@link #send} leads there does nothing, as by default.
         *
         * @param frame as with {@link #send}
         */
        public void answer(byte[] frame) {
            // By default there is no way back.
        }

        /**
         * Tells whether the connection carries {@linkplain #answer answers} only.
         *
         * @return false by default
         */
        public boolean isForAnswers() {
            return false;
        }

        /**
         * Tells whether a node uses the connection.
         *
         * @return whether the connection has carried news
         */
        public boolean isOfNode() {
            return isOfNode;
        }

        /**
         * Tells whether the connection should end.
         *
         * @return whether at least {@value #COPIES_MAX} copies came in a row
         */
        public boolean isReplayed() {
            return copies.get() >= COPIES_MAX;
        }
    }

    /**
     * Refuses a frame that no transport need carry: each {@link #send} calls it first.
     *
     * @param frame any
     * @throws IllegalArgumentException if {@code frame} is longer than {@link #FRAME_LENGTH_MAX}
     */
    static void checkLength(byte[] frame) {
        Check.argument(
                frame.length <= FRAME_LENGTH_MAX,
                "frame of %d bytes: must be at most %d",
                frame.length,
                FRAME_LENGTH_MAX);
    }

    /**
     * Starts to receive. Called once, before any {@link #send}. May wait, for a bounded time.
     *
     * @param receiver takes the frames from now on
     * @throws TransportException    if it cannot listen, because a port is in use or an address is not ours; the
     *                               message names the address
     * @throws IllegalStateException if the transport was started or closed before
     */
    void start(Receiver receiver);

    /**
     * Hands a frame to the network. Returns at once. One thread at a time calls it. It does not throw if a send fails
     * or is refused: the frame is lost then.
     *
     * @param to    the receiver; a node that the transport does not know is not reached
     * @param frame at most {@link #FRAME_LENGTH_MAX} bytes; the caller does not change it afterwards
     * @throws IllegalArgumentException if {@code frame} is longer
     * @throws IllegalStateException    before {@link #start}
     */
    void send(NodeId to, byte[] frame);

    /**
     * Tells when the certificate that this node shows ends, or one between it and the authority: whichever is first.
     * Any thread may ask.
     *
     * @return the end of what new connections show; empty before {@link #start}, and of a transport that shows none, or
     *         does not know, as by default
     */
    default Optional<Instant> certificateEnd() {
        return Optional.empty();
    }

    /**
     * Tells which faults of this transport last until an operator repairs them, such as peers that refuse this node.
     * Any thread may ask; must not block.
     *
     * @return at most {@value #PROBLEMS_MAX}; none by default
     */
    default List<Problem> problems() {
        return List.of();
    }

    /**
     * Offers the thread that calls the receiver to the node, which then lives on it: nothing changes threads between
     * the wire and the node. A thread that may be held up, by an application for example, is not to be offered.
     *
     * @return empty before {@link #start}, and of a transport whose threads are not for others, as by default
     */
    default Optional<EventLoop> loop() {
        return Optional.empty();
    }

    /**
     * Tells why this transport has ended although it was not closed, for example because the application has closed
     * what it runs on, or because one of its threads has ended. The node then stops, because nothing would reach it
     * again. A transport whose {@link #loop} has ended need not tell that. The node asks at each of its turns, so it
     * must not block, and should allocate nothing while it is empty.
     *
     * @return a part of a sentence for the log; empty before {@link #start}, while the transport works, and by default
     */
    default Optional<String> failure() {
        return Optional.empty();
    }

    /**
     * Tells where a node is reached that the settings do not name, as its address was learned at run time. A node that
     * the settings name keeps its address. A transport that needs no addresses, or keeps too many by now, ignores it.
     * Any thread may call this, after the start; frames to the node may be lost until the transport has taken it up.
     *
     * @param node    not this node
     * @param address where it is reached now
     */
    default void reach(NodeId node, HostAndPort address) {
        // By default addresses are those of the settings.
    }

    /** Stops, and waits for its sockets to close, for a bounded time. A second call has no effect. */
    @Override
    void close();
}
