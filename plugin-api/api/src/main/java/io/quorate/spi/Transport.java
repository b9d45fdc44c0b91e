package io.quorate.spi;

/**
 * Carries small binary frames between nodes, best effort. Frames may be lost, delayed and reordered, and an old one may
 * arrive late: whoever uses it copes. What it may not do is queue without bound, block, or write a log line per frame.
 */
public interface Transport extends AutoCloseable {

    /** The longest frame that a transport must carry, in bytes. */
    int FRAME_LENGTH_MAX = 64 * 1024;

    /** Takes what arrives. Called from the transport's threads; returns at once and throws nothing. */
    @FunctionalInterface
    interface Receiver {
        void received(byte[] frame);
    }

    /**
     * Starts to receive. Called once, before any {@link #send}.
     *
     * @throws TransportException if it cannot listen (a port in use, an address that is not ours); the message names
     *                            the address
     */
    void start(Receiver receiver);

    /**
     * Hands the frame to the network for {@code to}; returns at once. Called from one thread. Does not throw: a failed
     * or refused send is a lost frame. {@code frame} must not be changed afterwards.
     */
    void send(NodeId to, byte[] frame);

    /** Stops, and waits a bounded time for sockets to close. Twice is no error. */
    @Override
    void close();
}
