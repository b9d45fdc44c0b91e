package io.quorate.ops;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server. Anyone who reaches the port may open any number and say nothing on them, so there is a
 * bound. When it is reached, the address with the most connections loses the one that has been without a whole request,
 * or has not read its answer, for the longest time. So strangers cannot shut probes out: a probe sends its request at
 * once. Each connection has a time until its next request is whole, and another one for its answer. Bytes that come
 * meanwhile earn it no more.
 *
 * <p>Thread-safe. Connections are closed outside the lock, because that runs code of the server.
 */
final class Callers implements AutoCloseable {

    /**
     * Connections at one time. More of them than all {@link Lane lanes} and streams of events hold, so that there is
     * always one which may go. With few, a burst of strangers would push a probe out while it shakes hands.
     */
    static final int MAX = 256;

    /**
     * Requests of one address that wait at one time, or whose answers are not read, so that one address leaves a third
     * of the places of each {@link Lane} to others, and has few answers kept in memory. With fewer, a proxy that asks
     * for many paths at one moment would be refused.
     */
    static final int REQUESTS_MAX = 24;

    /**
     * Silent connections at one time from which on they go first. With fewer, the next two or three callers would push
     * out a probe between its connection and its first byte; with more, strangers could keep others out with less.
     */
    private static final int SILENT_MIN = 32;

    private static final long LOOK_MILLIS_MAX = 1000;

    /** Strangers may come back for as long as they like, and an operator reads of them once a minute. */
    private static final long NEWS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final long limitNanos;
    private final Scheduler scheduler;
    private final LongSupplier nanoTime;
    private final Consumer<String> news;

    // All are guarded by this.
    private final Map<EndPoint, Caller> all = new HashMap<>();
    /** Those that may go if there are too many, the longest waiting first. */
    private final Set<Caller> idle = new LinkedHashSet<>();

    private boolean isWatched;
    private boolean isClosed;
    private long gone;

    private long toldAt;

    enum Phase {
        /** No request is whole: none has begun, or a part of it has come. */
        ASKS,
        WAITS,
        READS,
        /** It gets events, for as long as {@link EventStream} says. */
        LISTENS
    }

    private static final class Caller {
        private final EndPoint endPoint;
        private final Object from;
        private Phase phase = Phase.ASKS;
        private long since;
        private @Nullable Runnable late;

        private Caller(EndPoint endPoint) {
            this.endPoint = endPoint;
            this.from = endPoint.getRemoteSocketAddress() instanceof InetSocketAddress address
                            && address.getAddress() != null
                    ? address.getAddress()
                    : "elsewhere";
        }

        /** Whether not a byte has come, of a request or of a handshake. */
        private boolean isSilent() {
            Connection connection = endPoint.getConnection();
            return connection != null && connection.getBytesIn() == 0;
        }
    }

    /**
     * @param limit     for a request to come, and for its answer to be sent; more than 0
     * @param scheduler runs short tasks; has to be started before there are connections
     * @param nanoTime  a clock as {@link System#nanoTime}
     * @param news      is told what an operator should read
     */
    Callers(Duration limit, Scheduler scheduler, LongSupplier nanoTime, Consumer<String> news) {
        this.limitNanos = limit.toNanos();
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
        this.news = news;
    }

    // ---------------------------------------------------------------- what happens to a connection

    void opened(EndPoint endPoint) {
        EndPoint goes = null;
        String told = "";
        synchronized (this) {
            if (isClosed) {
                goes = endPoint;
            } else if (all.size() >= MAX) {
                goes = idle.isEmpty() ? endPoint : next().endPoint;
                closed(goes);
                told = oneMore();
            }
            if (goes != endPoint) {
                Caller caller = new Caller(endPoint);
                caller.since = nanoTime.getAsLong();
                all.put(endPoint, caller);
                idle.add(caller);
                watch();
            }
        }
        if (goes != null) {
            goes.close();
        }
        if (!told.isEmpty()) {
            news.accept(told);
        }
    }

    /**
     * The first connection that may go, of the address that has the most of them: a crowd pushes nobody else out. If
     * many are silent, one of these goes, of addresses with equally many connections. So a probe stays that has begun
     * its handshake. If few are silent, they may be probes that have just connected.
     */
    private Caller next() {
        Map<Object, Integer> many = new HashMap<>();
        idle.forEach(caller -> many.merge(caller.from, 1, Integer::sum));
        boolean areManySilent = idle.stream().filter(Caller::isSilent).count() >= SILENT_MIN;
        return Collections.max(
                idle,
                Comparator.comparing(caller ->
                        2 * many.getOrDefault(caller.from, 0) + (areManySilent && caller.isSilent() ? 1 : 0)));
    }

    /** The line for the log; may be empty. */
    private String oneMore() {
        gone++;
        long now = nanoTime.getAsLong();
        if (gone > 1 && now - toldAt < NEWS_NANOS) {
            return "";
        }
        toldAt = now;
        return "more than " + MAX + " connections at one time: those that have been without a request for the longest"
                + " time are closed, " + gone + " by now";
    }

    synchronized void closed(EndPoint endPoint) {
        idle.remove(all.remove(endPoint));
    }

    /**
     * Its request is whole. From here on it is not closed in favour of others.
     *
     * @return false, and nothing has changed, if its address has as many such requests already as it may
     */
    synchronized boolean waits(EndPoint endPoint, Runnable late) {
        Caller asking = all.get(bottom(endPoint));
        if (asking != null
                && all.values().stream()
                                .filter(caller -> caller.from.equals(asking.from)
                                        && (caller.phase == Phase.WAITS || caller.phase == Phase.READS))
                                .count()
                        >= REQUESTS_MAX) {
            return false;
        }
        enter(endPoint, Phase.WAITS, late);
        return true;
    }

    void asks(EndPoint endPoint) {
        enter(endPoint, Phase.ASKS, null);
    }

    synchronized void enter(EndPoint endPoint, Phase phase, @Nullable Runnable late) {
        Caller caller = all.get(bottom(endPoint));
        if (caller == null) {
            // It was closed meanwhile.
            return;
        }
        // The time of an answer begins with the whole request.
        if (phase != Phase.READS || caller.phase == Phase.ASKS) {
            caller.since = nanoTime.getAsLong();
        }
        caller.phase = phase;
        caller.late = late;
        idle.remove(caller);
        if (phase == Phase.ASKS || phase == Phase.READS) {
            idle.add(caller);
        }
    }

    /** With TLS there is one that decrypts above the one of the socket. */
    private static EndPoint bottom(EndPoint endPoint) {
        EndPoint found = endPoint;
        while (found instanceof EndPoint.Wrapper wrapper) {
            found = wrapper.unwrap();
        }
        return found;
    }

    /** Closes all that are there, and each that still comes. */
    @Override
    public void close() {
        List<EndPoint> open;
        synchronized (this) {
            isClosed = true;
            open = List.copyOf(all.keySet());
            all.clear();
            idle.clear();
        }
        open.forEach(EndPoint::close);
    }

    // ---------------------------------------------------------------- time

    /** Only while there are connections. */
    private void watch() {
        if (!isWatched && !all.isEmpty()) {
            isWatched = true;
            long millis = Math.max(1, Math.min(LOOK_MILLIS_MAX, TimeUnit.NANOSECONDS.toMillis(limitNanos) / 4));
            scheduler.schedule(this::look, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        List<Caller> over = new ArrayList<>();
        List<Runnable> late = new ArrayList<>();
        synchronized (this) {
            isWatched = false;
            long now = nanoTime.getAsLong();
            for (Iterator<Caller> each = all.values().iterator(); each.hasNext(); ) {
                Caller caller = each.next();
                if (caller.phase != Phase.LISTENS && now - caller.since >= limitNanos) {
                    each.remove();
                    idle.remove(caller);
                    over.add(caller);
                    if (caller.late != null) {
                        late.add(caller.late);
                    }
                }
            }
            watch();
        }
        over.forEach(caller -> caller.endPoint.close());
        late.forEach(Runnable::run);
    }
}
