package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One socket, from connect or accept to its close: what was read of it and is no whole frame, and what it must write.
 */
final class Connection {

    /** The state of a connection. Each state is followed by a later one. */
    enum State {
        /** Dialled, and not there yet. */
        CONNECTING,
        /** Both sides show their certificates. */
        SECURING,
        /** One side waits for HELLO, the other for WELCOME. */
        GREETING,
        OPEN,
        /** Has said all, and waits for the other side to close. */
        ENDING,
        CLOSED
    }

    private static final byte[] NOTHING = {};
    /**
     * After so long without a frame of the peer another connection of the same process takes the place of this one. A
     * working connection is never that quiet, so it is not pushed aside, and a peer that lost its own end is admitted
     * before the idle close. Signs of life do not count: anybody can send those.
     */
    static final long REPLACED_NANOS = 2_000_000_000;
    /** The longest time that the first frame may take. */
    private static final long FIRST_NANOS = 1_000_000_000;
    /** Ends a connection after so many frames in a row from callers that may not speak. */
    static final int FAILED_MAX = 16;
    /**
     * A connection that has carried no frame for so long is closed. Voters send each other heartbeats all the time;
     * what this closes is what two contenders needed to elect or to hand over.
     */
    static final long UNUSED_NANOS = 30_000_000_000L;

    private final SocketChannel channel;
    private final boolean isDialled;
    private final InetAddress remote;
    private final FrameReader reader = new FrameReader();
    private final SelectionKey key;

    private volatile State state;
    /** The HELLO or WELCOME that is to be written. */
    private byte @Nullable [] greeting;

    private int greetingType;
    private boolean owesPing;
    private boolean owesPong;
    private byte @Nullable [] bye;
    /** Whether BYE was asked for: the last thing that is written. */
    private boolean isLeaving;
    /** What the socket did not take. */
    private @Nullable ByteBuffer unwritten;

    // ---------------------------------------------------------------- written by the loop
    /** Null without TLS. */
    @Nullable
    Secured secured;
    /** Who the certificate of the other side says it is; empty without TLS. */
    Optional<NodeId> proven = Optional.empty();
    /** When this connection with TLS gives way to a new one, with keys as they are then. */
    long renewAt;
    /** When it was last seen to carry a frame; or when it opened. */
    private long usedAt;

    private boolean hasCarried;
    /** When the node last accepted a frame of the peer; or when it opened. */
    private volatile long passedAt;

    /** Frames in a row that nobody sends who may speak. */
    private int failed;
    /** The peer: known from the start if it was dialled, else from its HELLO on. */
    @Nullable
    Peer peer;
    /** Which process of the peer is there; 0 if it does not say that. */
    long life;
    /** Keeps a place only for frames that the node accepts, which it may do on another thread: copies prove nothing. */
    final Transport.Standing standing = new Transport.Standing() {
        @Override
        public void onNews() {
            super.onNews();
            passedAt = System.nanoTime();
            if (peer != null && state != State.CLOSED) {
                peer.onPassed(life, passedAt);
            }
        }
    };
    /** What was said or heard first. */
    byte @Nullable [] hello;
    /** What this side has chosen: that of its HELLO, or of its CHALLENGE. */
    long nonce;
    /** Whether who was dialled has shown that it knows the secret. */
    boolean isProved;
    /** When the present state began, or when something came last. */
    long heardAt;

    /** Whether it was accepted and has not said who it is. */
    boolean isWaiting;
    /** Whether it was accepted from an address at which a peer was found. */
    boolean isFromPeers;
    /** How many bytes of it count among those of all contenders. */
    int bytesCounted;

    boolean isPinged;
    /** Whether whole frames were read that nobody has taken; nothing more is read until then. */
    boolean isBehind;

    boolean hasSpoken;

    Connection(SocketChannel channel, boolean isDialled, InetAddress remote, Selector selector, long now)
            throws IOException {
        this.channel = channel;
        this.isDialled = isDialled;
        this.remote = remote;
        this.state = isDialled ? State.CONNECTING : State.GREETING;
        this.heardAt = now;
        this.isWaiting = !isDialled;
        this.key = channel.register(selector, isDialled ? SelectionKey.OP_CONNECT : SelectionKey.OP_READ, this);
    }

    SocketChannel channel() {
        return channel;
    }

    boolean isDialled() {
        return isDialled;
    }

    InetAddress remote() {
        return remote;
    }

    FrameReader reader() {
        return reader;
    }

    State state() {
        return state;
    }

    void become(State next) {
        state = next;
    }

    void greet(int type, byte[] body) {
        greetingType = type;
        greeting = body;
    }

    // One sign of life at a time: a peer that asks for many and reads none gets one.
    void owePong() {
        owesPong = true;
    }

    void owePing() {
        owesPing = true;
    }

    /** Says goodbye, behind the frames that wait. */
    void oweBye(byte[] body) {
        bye = body;
        isLeaving = true;
    }

    /** Whether it has been told to, and what is said is at most the socket's to write. */
    boolean hasSaidBye() {
        return isLeaving && bye == null;
    }

    void open(long now) {
        state = State.OPEN;
        heardAt = now;
        usedAt = now;
        passedAt = now;
        isPinged = false;
    }

    /**
     * A frame was received.
     *
     * @param isTaken whether the receiver has taken it for one of a node
     * @return whether it has not too often in a row
     */
    boolean isFailing(boolean isTaken) {
        failed = isTaken ? 0 : failed + 1;
        return failed >= FAILED_MAX;
    }

    /** Whether no other connection of the peer takes its place. */
    boolean isWorking(long now) {
        return now - passedAt < (standing.isOfNode() ? REPLACED_NANOS : FIRST_NANOS);
    }

    void onCarried() {
        hasCarried = true;
    }

    /** Whether it has carried no frame for so long, as it was last asked; signs of life do not count. */
    boolean isUnused(long now) {
        if (hasCarried) {
            hasCarried = false;
            usedAt = now;
        }
        return now - usedAt >= UNUSED_NANOS;
    }

    /** Writes what the socket takes of one portion. Answers whether something is left. */
    boolean write(ByteBuffer scratch) throws IOException {
        if (unwritten != null) {
            transmit(unwritten);
            if (unwritten.hasRemaining()) {
                return true;
            }
            unwritten = null;
        }
        scratch.clear();
        fill(scratch);
        scratch.flip();
        transmit(scratch);
        if (scratch.hasRemaining()) {
            unwritten = ByteBuffer.allocate(scratch.remaining()).put(scratch).flip();
        }
        return unwritten != null
                || secured != null && secured.hasUnwritten()
                || bye != null
                || state == State.OPEN && peer != null && peer.hasFrames();
    }

    private void transmit(ByteBuffer bytes) throws IOException {
        if (secured != null) {
            secured.write(channel, bytes);
        } else if (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private void fill(ByteBuffer scratch) {
        if (greeting != null) {
            Wire.put(scratch, greetingType, greeting);
            greeting = null;
        }
        if (owesPong) {
            Wire.put(scratch, Wire.PONG, NOTHING);
            owesPong = false;
        }
        if (owesPing) {
            Wire.put(scratch, Wire.PING, NOTHING);
            owesPing = false;
        }
        while (state == State.OPEN && peer != null) {
            Optional<byte[]> next = peer.poll(scratch.remaining() - 2 * Wire.HEAD);
            if (next.isEmpty()) {
                break;
            }
            Wire.put(scratch, Wire.DATA, next.get());
            hasCarried = true;
        }
        if (bye != null && (peer == null || !peer.hasFrames())) {
            Wire.put(scratch, Wire.BYE, bye);
            bye = null;
        }
    }

    void watch(boolean hasMoreToWrite) {
        int interest = hasMoreToWrite ? SelectionKey.OP_WRITE : 0;
        if (state == State.CONNECTING) {
            interest |= SelectionKey.OP_CONNECT;
        } else if (!isBehind && (secured == null || !secured.isBusy())) {
            interest |= SelectionKey.OP_READ;
        }
        if (key.isValid() && key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    boolean wantsToWrite() {
        return key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    }

    void close() {
        state = State.CLOSED;
        if (secured != null) {
            secured.end();
        }
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // Justification: the connection is gone, even if the system reports an error.
        }
    }

    @Override
    public String toString() {
        return String.valueOf(remote.getHostAddress());
    }
}
