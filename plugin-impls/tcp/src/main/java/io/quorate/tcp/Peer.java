package io.quorate.tcp;

import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Another node: the frames that wait for it, and how it is reached. Frames come from the sending thread; all else
 * belongs to the loop.
 *
 * <p>Times are nanoseconds of one clock, compared by difference.
 */
final class Peer {

    /** The most frames that wait. */
    static final int FRAMES_MAX = 64;
    /** The most bytes that wait. */
    static final int BYTES_MAX = 256 * 1024;
    /** The first pause after a failed attempt: about one heartbeat. */
    static final long PAUSE_MIN_NANOS = 100_000_000;
    /** The answer of {@link #offer} during a pause. */
    static final int REFUSED = -1;
    /** The longest pause, unless a quarter of a support time is shorter. */
    static final long PAUSE_MAX_NANOS = 1_000_000_000;

    /**
     * A former connection, or the place of a dead process, keeps a new one out for no longer: until it is replaced, and
     * as long for what is under way.
     */
    static long busyMax(long placeNanos) {
        return 2 * Math.max(placeNanos, Connection.REPLACED_NANOS);
    }

    /** The process that has the place of this node, and when its last frame came. */
    private record Place(long life, long at) {}

    private final NodeId id;

    // ---------------------------------------------------------------- of both threads, under the lock
    private final Deque<byte[]> frames = new ArrayDeque<>();
    private int bytes;
    private boolean isMarked;
    private long pause;
    private long pausedAt;
    private long pausedFor;

    // ---------------------------------------------------------------- of the loop
    /** Whether the own list names it, or this node was told of it; else it is a contender that has called. */
    boolean isListed;
    /** Where it is reached; of a contender, where it says so. Empty if it listens nowhere. */
    Optional<HostAndPort> address = Optional.empty();

    /** What carries frames, if anything does. */
    @Nullable
    Connection open;
    /** What was dialled and is not answered yet. */
    @Nullable
    Connection dialled;

    /** The search for its addresses, which is over unless it is under way. */
    Future<?> lookUp = Resolver.ANSWERED;
    /** Failed attempts since the last that succeeded. */
    int attempts;
    /** When something came from it last; that it was admitted counts, too. */
    long heardAt;
    /** The addresses that its name had last. */
    InetAddress[] found = {};
    /** The one at which it was reached last. */
    @Nullable
    InetAddress reachedAt;

    /** Since when it answers that it is connected with this node already, if it does. */
    private OptionalLong busySince = OptionalLong.empty();
    /** The same of the answers of this node: since when without a gap, and when last. */
    private OptionalLong refusedSince = OptionalLong.empty();

    private long refusedAt;
    /** Which life had the place then. */
    private long refusedFor;

    /** Written when the node accepts a frame, on any thread. */
    private volatile Place place = new Place(0, 0);

    boolean wasReached;
    /** Whether the log says that it is not reached. */
    boolean isReportedLost;
    /** Since when the log says that, of a peer that was never reached, until it says so at WARN. */
    OptionalLong missingSince = OptionalLong.empty();

    Peer(NodeId id) {
        this.id = id;
    }

    NodeId id() {
        return id;
    }

    /**
     * It has answered that it is connected with this node already. Confined to the loop.
     *
     * @return whether it has done so for longer than an end that it has not noticed can explain: then it is connected
     *         with another process
     */
    boolean onBusy(long placeNanos, long now) {
        if (busySince.isEmpty()) {
            busySince = OptionalLong.of(now);
        }
        return now - busySince.getAsLong() >= busyMax(placeNanos);
    }

    /**
     * Somebody was told that the peer is connected already. Confined to the loop.
     *
     * @return whether that has gone on for longer than connections that cross, or an end that the peer has noticed and
     *         this node has not, can explain: then there is another process
     */
    boolean refusesLong(long placeNanos, long now) {
        if (refusedSince.isEmpty() || place.life != refusedFor || now - refusedAt >= busyMax(placeNanos)) {
            refusedSince = OptionalLong.of(now);
        }
        refusedAt = now;
        refusedFor = place.life;
        return now - refusedSince.getAsLong() >= busyMax(placeNanos);
    }

    /** The node has accepted a frame of this process, which has the place from now on. Any thread. */
    void onPassed(long of, long now) {
        place = new Place(of, now);
    }

    /** This process has said that it leaves, so its place is free. Confined to the loop. */
    void onLeft(long of) {
        place = place.life == of ? new Place(0, 0) : place;
    }

    /**
     * The other process that has the place of this node, if that keeps this one out. Confined to the loop.
     *
     * @param of         the process that wants the place; 0 if it does not say which it is
     * @param placeNanos how long one keeps it after its last frame
     * @return 0 if none keeps it out
     */
    long keepsOut(long of, long placeNanos, long now) {
        Place kept = place;
        return of != kept.life && now - kept.at < placeNanos ? kept.life : 0;
    }

    /** Where it is reached, for people. */
    String where() {
        return address.map(HostAndPort::toString).orElse("no address");
    }

    /** Whether it is neither connected nor dialled. */
    boolean isAway() {
        return open == null && dialled == null;
    }

    /**
     * The frame waits from now on, unless there is a pause after a failure. If there is no room for it, the oldest
     * frames make some: what a node says last is worth most, a heartbeat above all.
     *
     * @return how many older frames are gone; {@link #REFUSED} during a pause
     */
    synchronized int offer(byte[] frame, long now) {
        if (isPaused(now)) {
            return REFUSED;
        }
        int gone = 0;
        while (frames.size() >= FRAMES_MAX || bytes + frame.length > BYTES_MAX) {
            bytes -= frames.remove().length;
            gone++;
        }
        frames.add(frame);
        bytes += frame.length;
        return gone;
    }

    /** Whether the loop has to be told; it answers by {@link #unmark}. */
    synchronized boolean mark() {
        boolean isNew = !isMarked;
        isMarked = true;
        return isNew;
    }

    synchronized void unmark() {
        isMarked = false;
    }

    /** The next frame, if it is not longer than {@code lengthMax}. */
    synchronized Optional<byte[]> poll(int lengthMax) {
        byte[] next = frames.peek();
        if (next == null || next.length > lengthMax) {
            return Optional.empty();
        }
        frames.remove();
        bytes -= next.length;
        return Optional.of(next);
    }

    synchronized boolean hasFrames() {
        return !frames.isEmpty();
    }

    synchronized boolean isPaused(long now) {
        return pausedFor > 0 && now - pausedAt < pausedFor;
    }

    /** The peer is reached: there is no pause. */
    synchronized void onReached() {
        busySince = OptionalLong.empty();
        pause = 0;
        pausedFor = 0;
    }

    /**
     * An attempt has failed: a pause begins, twice as long as the last one, and what waits is gone.
     *
     * @param placeNanos how long a process keeps its place. A second process is found in time if it calls several times
     *                   meanwhile
     * @param random     from 0 to 1, so that nodes that have lost each other do not call at the same time
     * @return how many frames are gone
     */
    synchronized int onFailed(long now, long placeNanos, DoubleSupplier random) {
        pause = Math.max(PAUSE_MIN_NANOS, Math.min(Math.min(PAUSE_MAX_NANOS, placeNanos / 4), 2 * pause));
        pauseFor(now, pause - (long) ((pause - PAUSE_MIN_NANOS) / 2.0 * random.getAsDouble()));
        return clear();
    }

    /** The shortest pause, because it will be reached soon: what waits is kept, and the next pause is no longer. */
    synchronized void pauseShortly(long now) {
        pauseFor(now, PAUSE_MIN_NANOS);
    }

    /** Forgets what waits; answers how many frames that were. */
    synchronized int clear() {
        int gone = frames.size();
        frames.clear();
        bytes = 0;
        return gone;
    }

    private void pauseFor(long now, long nanos) {
        pausedAt = now;
        pausedFor = nanos;
    }
}
