package io.quorate.tcp;

import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Transport;
import io.quorate.tcp.Connection.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Makes frames of received bytes, and writes waiting frames. Confined to the loop. */
final class Traffic {

    /** The number of frames of one peer that go to the receiver; then the next peer has its turn. */
    static final int TURN_FRAMES = 64;
    /** What has been read of all contenders together and that is not handed on: 64 of the longest frames. */
    static final int CONTENDERS_BYTES_MAX = 4 << 20;

    /** Two of the longest frames, and what they have around them. */
    private static final int SCRATCH = 2 * (Wire.HEAD + Transport.FRAME_LENGTH_MAX) + 64;
    /** What is read at once of a connection that has not said who it is. */
    private static final int READ_BEFORE_ADMISSION = 4096;

    private static final int READ = 64 * 1024;

    private final Transport.Receiver receiver;
    private final Executor handshakes;
    private final Alarm alarm;
    private final Counters counters;
    private final Reports reports;
    private final ConnectionEvents events;
    /** Connections with whole frames that were read and that wait for their turn. */
    private final Deque<Connection> behind = new ArrayDeque<>();

    // Buffers of the heap: others are freed only when a collector finds them. The JDK copies through a buffer of the
    // thread, which goes with the thread.
    private final ByteBuffer in = ByteBuffer.allocate(READ);
    private final ByteBuffer nothing = ByteBuffer.allocate(0);
    private final ByteBuffer out = ByteBuffer.allocate(SCRATCH);
    private int contendersBytes;

    /** @param handshakes where the work of handshakes runs */
    Traffic(
            Transport.Receiver receiver,
            Executor handshakes,
            Alarm alarm,
            Counters counters,
            Reports reports,
            ConnectionEvents events) {
        this.receiver = receiver;
        this.handshakes = handshakes;
        this.alarm = alarm;
        this.counters = counters;
        this.reports = reports;
        this.events = events;
    }

    /** Whether frames wait that the receiver would take now. */
    boolean isTurnDue() {
        return !behind.isEmpty() && !isReceiverBehind();
    }

    /** Whether frames wait that the receiver does not take now. */
    boolean isHeldBack() {
        return !behind.isEmpty() && isReceiverBehind();
    }

    /** A closed connection holds nothing. */
    void forget(Connection connection) {
        if (connection.isBehind) {
            behind.remove(connection);
        }
        count(connection);
    }

    /** Writes what can be written at once, which is all of a refusal: that is small, and the socket empty. */
    void writeOnce(Connection connection) throws IOException {
        connection.write(out);
    }

    /** Goes on with a handshake; when it is over, with the greeting. */
    void secure(Connection connection, boolean isReadable) throws IOException, MalformedInputException {
        Secured secured = connection.secured;
        if (secured == null || secured.isBusy()) {
            return;
        }
        in.clear();
        Runnable done = goingOn(connection, secured);
        if (isReadable) {
            connection.hasSpoken = true;
            if (secured.read(connection.channel(), in, handshakes, done) < 0) {
                events.end(
                        connection,
                        secured.hasHeard()
                                ? "closed by the other side"
                                : "closed by the other side before it said a word of TLS: has it TLS keys?");
                return;
            }
        } else {
            secured.write(connection.channel(), nothing);
            secured.advance(connection.channel(), in, handshakes, done);
        }
        // While the other thread works there is nothing to write but what was written before.
        connection.watch(secured.hasUnwritten() && !secured.isBusy());
        if (!secured.isReady() || connection.state() != State.SECURING) {
            return;
        }
        events.onSecured(connection);
        if (!connection.isDialled() && connection.state() == State.GREETING) {
            connection.reader().append(in.flip());
            takeTurn(connection);
        }
    }

    /** The last step of the other thread's work for this connection. */
    private Runnable goingOn(Connection connection, Secured secured) {
        return () -> events.later(() -> events.guarded(connection, () -> {
            secured.onDone();
            if (connection.state() == State.SECURING) {
                secure(connection, false);
            } else if (!connection.isBehind) {
                read(connection);
            }
        }));
    }

    /** Writes what the socket takes; watches it if something is left. */
    void write(Connection connection) throws IOException {
        boolean hasMore = connection.write(out);
        if (!hasMore && connection.hasSaidBye() && connection.state() == State.OPEN) {
            // All is said. Closing at once would take the last words back if the other side has said something.
            connection.channel().shutdownOutput();
            connection.become(State.ENDING);
            connection.heardAt = alarm.now();
            alarm.due(alarm.now() + Loop.GREETING_NANOS);
        }
        connection.watch(hasMore);
    }

    /** Something has come. */
    void read(Connection connection) throws IOException, MalformedInputException {
        in.clear();
        Secured secured = connection.secured;
        int length;
        if (secured != null) {
            // It reads one packet at most.
            length = secured.read(connection.channel(), in, handshakes, goingOn(connection, secured));
        } else {
            if (connection.state() == State.GREETING) {
                in.limit(READ_BEFORE_ADMISSION);
            }
            length = connection.channel().read(in);
        }
        if (length < 0 && in.position() == 0) {
            events.end(connection, "closed by the other side");
            return;
        }
        if (length == 0 && in.position() == 0) {
            // The selector was wrong, which it may be: nobody has said a word.
            return;
        }
        connection.hasSpoken = true;
        if (connection.state() == State.OPEN) {
            connection.heardAt = alarm.now();
            connection.isPinged = false;
            Peer peer = connection.peer;
            if (peer != null) {
                peer.heardAt = alarm.now();
            }
        }
        connection.reader().append(in.flip());
        takeTurn(connection);
        if (count(connection) && contendersBytes > CONTENDERS_BYTES_MAX) {
            // Each could begin a long frame and never end it.
            events.end(connection, "too much of contenders waits");
        }
    }

    /** Counts the bytes that a contender's connection holds; answers whether they have become more. */
    private boolean count(Connection connection) {
        Peer peer = connection.peer;
        boolean isCounted = connection.state() == State.OPEN && peer != null && !peer.isListed;
        int more = (isCounted ? connection.reader().capacity() : 0) - connection.bytesCounted;
        connection.bytesCounted += more;
        contendersBytes += more;
        return more > 0;
    }

    /** Whether frames have to wait with their connections for a while. */
    private boolean isReceiverBehind() {
        try {
            return receiver.isBehind();
        } catch (Throwable e) {
            // Justification: as in deliver.
            counters.inputsDropped.increment();
            reports.onReceiverFailed(e);
            return false;
        }
    }

    /** Hands on what was read before and had to wait. */
    void takeTurns() {
        if (isHeldBack()) {
            return;
        }
        for (int i = behind.size(); i > 0; i--) {
            // A connection that ends may end others, which are removed from here.
            Connection connection = behind.poll();
            if (connection != null) {
                events.guarded(connection, () -> takeTurn(connection));
                count(connection);
            }
        }
    }

    /** Takes what was read, up to so many frames; then nothing is read until the rest has been taken. */
    private void takeTurn(Connection connection) throws IOException, MalformedInputException {
        int taken = 0;
        while (connection.state() != State.CLOSED
                && connection.reader().hasFrame(lengthMax(connection))
                && taken < TURN_FRAMES
                && (connection.state() != State.OPEN || !isReceiverBehind())) {
            taken++;
            int type = connection.reader().type();
            byte[] body = connection.reader().take();
            onFrame(connection, type, body);
        }
        if (connection.state() == State.CLOSED) {
            return;
        }
        connection.isBehind = connection.reader().hasFrame(lengthMax(connection));
        if (connection.isBehind) {
            behind.add(connection);
        }
        // TLS may have had to say something because of what it has read.
        boolean isLeft = connection.secured != null && connection.secured.hasUnwritten();
        connection.watch(isLeft || connection.wantsToWrite());
    }

    private static int lengthMax(Connection connection) {
        return connection.state() == State.GREETING ? Wire.GREETING_LENGTH_MAX : Wire.LENGTH_MAX;
    }

    private void onFrame(Connection connection, int type, byte[] body) throws IOException, MalformedInputException {
        if (connection.state() == State.GREETING) {
            events.onGreeting(connection, type, body);
            return;
        }
        switch (type) {
            case Wire.DATA -> {
                connection.onCarried();
                deliver(connection, body);
            }
            case Wire.PING -> {
                if (connection.state() == State.OPEN) {
                    connection.owePong();
                    write(connection);
                }
            }
            case Wire.PONG -> {
                // That it came is all.
            }
            case Wire.BYE -> events.onBye(connection, body);
            default -> throw new MalformedInputException("frame of type " + type + ": is not known");
        }
    }

    private void deliver(Connection connection, byte[] frame) {
        if (events.isStopping() || connection.peer == null) {
            // Without a peer it was turned away.
            return;
        }
        try {
            // Without TLS, anyone who reaches the port may claim any name in HELLO: that is no proof.
            if (connection.isFailing(receiver.received(connection.proven, frame, connection.standing))) {
                events.end(connection, Connection.FAILED_MAX + " frames in a row that no node of this cluster sends");
            }
        } catch (Throwable e) {
            // Justification: the receiver must not throw; if it does, that must not look like a fault of the network.
            counters.inputsDropped.increment();
            reports.onReceiverFailed(e);
        }
    }
}
