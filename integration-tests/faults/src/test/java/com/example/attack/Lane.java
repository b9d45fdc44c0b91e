package com.example.attack;

import java.util.Optional;

/** A connection to a node, which takes frames of the library; in the form of one transport or the other. */
interface Lane extends AutoCloseable {

    /**
     * Sends any bytes as a frame.
     *
     * @param from who sends it, if the transport says so beside the frame
     * @return false if the node has closed the connection
     */
    boolean frame(String from, byte[] frame);

    /** Sends any bytes at all; answers as {@link #frame} does. */
    boolean raw(byte... bytes);

    /** Whether the node has read all that was sent so far: it answers a question that stands behind that. */
    boolean isRead();

    /** What was sent leaves now. */
    void flush();

    /** The next frame of the library that the node sends to whoever speaks here, if it sends one in time. */
    Optional<byte[]> carried();

    /** As {@link #carried}, of those that are there already. */
    Optional<byte[]> carriedSoFar();

    @Override
    void close();
}
