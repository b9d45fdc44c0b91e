package io.quorate.nemesis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The way from one node to another: takes the connections that the one opens, and opens one to the other for each. What
 * it is told holds from then on, also for the connections that are there.
 *
 * <p>Everything but {@link #port} happens on one event loop, and on it alone may it be called.
 */
final class FaultyLink {

    private static final String HOST = "127.0.0.1";
    /** Held back per direction of a connection; the rest waits at the sender, as when a network is silent. */
    private static final int HELD_BYTES_MAX = 1 << 18;

    /** What passed and what did not, over the life of the link. */
    record Counts(long connections, long refused, long bytes, long heldBytes) {

        Counts plus(Counts other) {
            return new Counts(
                    connections + other.connections,
                    refused + other.refused,
                    bytes + other.bytes,
                    heldBytes + other.heldBytes);
        }
    }

    private final Vertx vertx;
    private final NetClient client;
    private final int target;
    private final Random random;
    private final NetServer server;
    private final Set<Connection> open = new LinkedHashSet<>();

    private boolean holdsThere;
    private boolean holdsBack;
    private boolean refuses;
    private int delayMaxMillis;
    private Counts counts = new Counts(0, 0, 0, 0);

    /**
     * Listens at a free port.
     *
     * @param context the event loop
     * @param target  the port that the connections lead to
     * @param random  draws the delays
     */
    static Future<FaultyLink> listen(Context context, NetClient client, int target, Random random) {
        FaultyLink proxy = new FaultyLink(context.owner(), client, target, random);
        return proxy.server.listen(0, HOST).map(server -> proxy);
    }

    private FaultyLink(Vertx vertx, NetClient client, int target, Random random) {
        this.vertx = vertx;
        this.client = client;
        this.target = target;
        this.random = random;
        this.server = vertx.createNetServer().connectHandler(this::onConnection);
    }

    /** Where it listens. */
    int port() {
        return server.actualPort();
    }

    Counts counts() {
        return counts;
    }

    private void onConnection(NetSocket near) {
        if (refuses) {
            counts = counts.plus(new Counts(0, 1, 0, 0));
            near.close();
            return;
        }
        counts = counts.plus(new Counts(1, 0, 0, 0));
        near.pause();
        near.exceptionHandler(failure -> near.close());
        AtomicBoolean isGone = new AtomicBoolean();
        near.closeHandler(ignored -> isGone.set(true));
        client.connect(target, HOST)
                .onSuccess(far -> {
                    if (isGone.get()) {
                        far.close();
                    } else {
                        open.add(new Connection(near, far));
                    }
                })
                .onFailure(failure -> near.close());
    }

    /** Whether bytes from the one node to the other, or back, are kept and not passed on; silently. */
    void hold(boolean there, boolean back) {
        holdsThere = there;
        holdsBack = back;
        drain();
    }

    /** Whether connections are broken, those that are there and those that come. */
    void refuse(boolean refusing) {
        refuses = refusing;
        if (refusing) {
            List.copyOf(open).forEach(Connection::close);
        }
    }

    /** From now on bytes take 0 to {@code millisMax} longer; in order within a connection. */
    void delay(int millisMax) {
        delayMaxMillis = millisMax;
    }

    /**
     * Breaks the connections for the one who opened them, but what is under way on them still arrives, after {@code
     * millis}: behind what is sent later, on a new connection.
     */
    void overtake(int millis) {
        List.copyOf(open).forEach(connection -> connection.delayRest(millis));
    }

    private void drain() {
        List.copyOf(open).forEach(connection -> {
            connection.there.drain();
            connection.back.drain();
        });
    }

    Future<Void> close() {
        List.copyOf(open).forEach(Connection::close);
        return server.close();
    }

    private final class Connection {
        private final NetSocket near;
        private final NetSocket far;
        private final Pipe there;
        private final Pipe back;

        private Connection(NetSocket near, NetSocket far) {
            this.near = near;
            this.far = far;
            this.there = new Pipe(near, far, true);
            this.back = new Pipe(far, near, false);
            there.start();
            back.start();
            near.resume();
        }

        private void delayRest(int millis) {
            there.delayRest(millis);
            near.close();
        }

        private void close() {
            open.remove(this);
            near.close();
            far.close();
        }

        private void onDrained() {
            if (there.isClosed && back.isClosed) {
                open.remove(this);
            }
        }
    }

    private record Chunk(Buffer bytes, long dueNanos) {}

    /** One direction of a connection. */
    private final class Pipe {
        private final NetSocket from;
        private final NetSocket to;
        private final boolean isThere;
        private final Deque<Chunk> chunks = new ArrayDeque<>();
        private int queued;
        private boolean hasEnded;
        private boolean isClosed;
        private boolean isPaused;

        private Pipe(NetSocket from, NetSocket to, boolean isThere) {
            this.from = from;
            this.to = to;
            this.isThere = isThere;
        }

        private void start() {
            from.handler(this::onBytes);
            from.exceptionHandler(failure -> from.close());
            from.closeHandler(ignored -> {
                hasEnded = true;
                drain();
            });
        }

        private boolean isHeld() {
            return isThere ? holdsThere : holdsBack;
        }

        private void onBytes(Buffer bytes) {
            long delay = delayMaxMillis == 0 ? 0 : random.nextInt(delayMaxMillis + 1);
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delay);
            // Never before what was sent before it.
            due = chunks.isEmpty() ? due : Math.max(due, chunks.peekLast().dueNanos);
            chunks.add(new Chunk(bytes, due));
            queued += bytes.length();
            if (isHeld()) {
                counts = counts.plus(new Counts(0, 0, 0, bytes.length()));
            }
            if (queued > HELD_BYTES_MAX && !isPaused) {
                isPaused = true;
                from.pause();
            }
            drain();
        }

        private void drain() {
            while (!isHeld() && !chunks.isEmpty()) {
                long left = chunks.peekFirst().dueNanos - System.nanoTime();
                if (left > 0) {
                    vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(left) + 1, timer -> drain());
                    return;
                }
                pass(chunks.removeFirst().bytes);
            }
            if (hasEnded && chunks.isEmpty() && !isHeld()) {
                isClosed = true;
                to.close();
                onClosed();
            }
        }

        private void onClosed() {
            open.stream()
                    .filter(connection -> connection.there == this || connection.back == this)
                    .findFirst()
                    .ifPresent(Connection::onDrained);
        }

        private void pass(Buffer bytes) {
            queued -= bytes.length();
            counts = counts.plus(new Counts(0, 0, bytes.length(), 0));
            to.write(bytes);
            if (isPaused && queued <= HELD_BYTES_MAX / 2) {
                isPaused = false;
                from.resume();
            }
        }

        private void delayRest(int millis) {
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            List<Chunk> rest = new ArrayList<>(chunks);
            chunks.clear();
            rest.forEach(chunk -> chunks.add(new Chunk(chunk.bytes, Math.max(due, chunk.dueNanos))));
        }
    }
}
