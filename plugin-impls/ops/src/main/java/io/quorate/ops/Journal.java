package io.quorate.ops;

import io.quorate.ClientMonitor;
import io.quorate.ConnectionState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/**
 * The recent events of a node, for people: the paths with their leaders, the last changes, how much was left of its
 * support, and callbacks that took long. It keeps a row for each path that the client uses, and bounded lists of
 * everything else.
 */
final class Journal implements ClientMonitor {

    /** The changes that are kept: a screen or two, and the fail-over of many paths. */
    static final int CHANGES_MAX = 200;

    /** The slow callbacks and the stalls that are kept. */
    static final int SLOW_MAX = 20;

    /** A callback that takes so long is slow: a hand-over takes less. */
    static final Duration SLOW_MIN = Duration.ofMillis(20);

    enum Kind {
        LEADS,
        LEADS_NO_MORE,
        /** Another node leads the path, or nobody is known to: what this node leads is {@link #LEADS}. */
        LEADER,
        CONNECTION
    }

    /**
     * A change.
     *
     * @param number the first has 1
     * @param path   empty for the connection
     * @param token  0 for none
     * @param reason empty if there is none to say
     */
    record Change(
            long number, Instant at, Kind kind, String path, Optional<Leader> leader, long token, String reason) {}

    /**
     * A path.
     *
     * @param since  when this leader was first known, or when it was lost
     * @param reason why the last leadership of this node has ended; empty if it has not led since its start
     * @param leads  whether this node leads it
     */
    record Row(String path, Optional<Leader> leader, Instant since, String reason, boolean leads) {

        private Row begun() {
            return new Row(path, leader, since, reason, true);
        }

        private Row ended(String why) {
            return new Row(path, leader, since, why, false);
        }
    }

    /**
     * Something that took long.
     *
     * @param what {@code stall}, or a callback and its path
     */
    record Slow(Instant at, String what, Duration took, boolean hasThrown) {}

    private final String self;
    private final InstantSource clock;
    private final SupportMargin margin;
    private final ConcurrentSkipListMap<String, Row> rows = new ConcurrentSkipListMap<>();

    // All that follows is guarded by this.
    private final Deque<Change> changes = new ArrayDeque<>();
    private final Deque<Slow> slow = new ArrayDeque<>();
    private final SortedMap<String, Boolean> heard = new TreeMap<>();
    private final SortedMap<String, Long> dropped = new TreeMap<>();
    private long lastNumber;
    private long version;

    /**
     * Begins to listen.
     *
     * @param self      the id of the node
     * @param clock     of which the instants are that people read
     * @param nanoClock passes as {@link System#nanoTime}
     */
    Journal(String self, InstantSource clock, LongSupplier nanoClock) {
        this.self = self;
        this.clock = clock;
        this.margin = new SupportMargin(nanoClock);
    }

    // ---------------------------------------------------------------- what happens

    private void add(Kind kind, String path, Optional<Leader> leader, long token, String reason) {
        Instant now = clock.instant();
        synchronized (this) {
            lastNumber++;
            version++;
            addLast(changes, new Change(lastNumber, now, kind, path, leader, token, reason), CHANGES_MAX);
        }
    }

    /** Behind the others, of which the oldest goes if there are too many. */
    private static <T> void addLast(Deque<T> kept, T next, int max) {
        kept.addLast(next);
        if (kept.size() > max) {
            kept.removeFirst();
        }
    }

    @Override
    public void connectionChanged(ConnectionState next, String reason) {
        margin.connectionChanged(next);
        add(Kind.CONNECTION, "", Optional.empty(), 0, next + ": " + reason);
    }

    @Override
    public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
        Row last = rows.get(path);
        rows.put(
                path,
                last == null
                        ? new Row(path, leader, clock.instant(), "", false)
                        : new Row(path, leader, clock.instant(), last.reason, last.leads));
        rowsChanged();
        // That this client begins to use a path is no change of it, and what it leads itself has been told of.
        boolean isOwn = leader.filter(known -> known.node().equals(self)).isPresent();
        if (last != null && !isOwn) {
            add(Kind.LEADER, path, leader, leader.map(Leader::token).orElse(0L), "");
        }
    }

    @Override
    public void forgotten(String path, Optional<Leader> former) {
        rows.remove(path);
        rowsChanged();
    }

    private synchronized void rowsChanged() {
        version++;
    }

    @Override
    public void leads(String path, long token) {
        rows.computeIfPresent(path, (same, row) -> row.begun());
        add(Kind.LEADS, path, Optional.empty(), token, "");
    }

    @Override
    public void leadsNoMore(String path, long token, String reason) {
        rows.computeIfPresent(path, (same, row) -> row.ended(reason));
        add(Kind.LEADS_NO_MORE, path, Optional.empty(), token, reason);
    }

    @Override
    public synchronized void voterHeard(String voter, boolean isHeard) {
        heard.put(voter, isHeard);
    }

    @Override
    public void supportRenewed(Duration left) {
        margin.renewed(left.toNanos());
    }

    @Override
    public void stalled(Duration late) {
        addSlow("stall", late, false);
    }

    @Override
    public synchronized void framesDropped(String reason, long count) {
        dropped.put(reason, count);
    }

    @Override
    public void callbackReturned(String path, String callback, Duration took, boolean hasThrown) {
        if (hasThrown || took.compareTo(SLOW_MIN) >= 0) {
            addSlow(path.isEmpty() ? callback : callback + " of " + path, took, hasThrown);
        }
    }

    private void addSlow(String what, Duration took, boolean hasThrown) {
        Slow next = new Slow(clock.instant(), what, took, hasThrown);
        synchronized (this) {
            addLast(slow, next, SLOW_MAX);
        }
    }

    @Override
    public void stopped(String reason) {
        // Also what nobody has told the end of.
        rows.replaceAll((path, row) -> row.leads ? row.ended(reason) : row);
        margin.lost();
        synchronized (this) {
            heard.clear();
        }
        add(Kind.CONNECTION, "", Optional.empty(), 0, reason);
    }

    // ---------------------------------------------------------------- what is asked

    /** Rises with each change of {@link #changes} and {@link #find}. */
    synchronized long version() {
        return version;
    }

    synchronized List<Change> changes() {
        return List.copyOf(changes);
    }

    synchronized List<String> hears() {
        return heard.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
    }

    SupportMargin margin() {
        return margin;
    }

    /** Oldest first. */
    synchronized List<Slow> slow() {
        return List.copyOf(slow);
    }

    /** The frames that were dropped, by reason; those that never were are missing. */
    synchronized SortedMap<String, Long> dropped() {
        SortedMap<String, Long> seen = new TreeMap<>(dropped);
        seen.values().removeIf(count -> count == 0);
        return seen;
    }

    /**
     * Some paths, by name.
     *
     * @param total of those that match
     */
    record Found(int total, List<Row> rows) {}

    /**
     * Looks for paths.
     *
     * @param text what the path, or the id or the node of its leader, contains; empty for all
     * @param max  so many rows at most
     */
    Found find(String text, int max) {
        int total = 0;
        List<Row> found = new ArrayList<>();
        for (Row row : rows.values()) {
            if (matches(row, text)) {
                total++;
                if (found.size() < max) {
                    found.add(row);
                }
            }
        }
        return new Found(total, found);
    }

    private static boolean matches(Row row, String text) {
        return row.path.contains(text)
                || row.leader
                        .filter(leader ->
                                leader.id().contains(text) || leader.node().contains(text))
                        .isPresent();
    }
}
