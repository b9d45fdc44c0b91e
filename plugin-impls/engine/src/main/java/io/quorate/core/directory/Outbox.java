package io.quorate.core.directory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Tells one peer the newest state of changed things, over a network that loses messages. It holds keys, not messages:
 * what is sent is looked up at the moment of sending, so a thing that changes ten times is sent once, and memory is
 * bounded by the number of things that are there, or that the peer may know of. One batch is under way at a time; it is
 * repeated, under a new number, until that number is acknowledged.
 */
final class Outbox<K> {

    /** Keeps a batch well inside one frame. */
    static final int BATCH_BYTES_MAX = 24 * 1024;

    /**
     * Without the doubling, a peer whose answers take longer than the repetition would never have answered the newest
     * batch.
     */
    private static final int DOUBLINGS_MAX = 3;

    /** What changed, and whether the peer may know of the thing. */
    private Map<K, Boolean> changed = new LinkedHashMap<>();
    /** The key was sent in a batch that was not acknowledged: it goes before what has changed since. */
    private final Deque<K> again = new ArrayDeque<>();

    private List<K> underWay = List.of();
    private long batch;
    private long sentAt;
    /** How often the batch that is under way was sent again, in a row. */
    private int repetitions;

    /** Something changed. Changes are sent in their order. */
    void mark(K key) {
        changed.putIfAbsent(key, true);
    }

    /** There is something new. As {@link #mark}, but the peer cannot know of it before it was sent. */
    void begin(K key) {
        changed.putIfAbsent(key, false);
    }

    /**
     * The thing is gone. Answers whether to tell the peer: a thing that it never knew of is dropped. Otherwise a peer
     * that does not answer would be owed a message about everything that has come and gone meanwhile.
     */
    boolean end(K key) {
        return !changed.remove(key, false);
    }

    /** The peer is told of the thing beside its key. */
    void told(K key) {
        changed.replace(key, true);
    }

    /** As {@link #mark}, behind everything that was marked before. */
    void markLast(K key) {
        changed.remove(key);
        changed.put(key, true);
    }

    /** Forgets everything; acknowledgements of earlier batches do not count for later ones. */
    void clear() {
        changed.clear();
        again.clear();
        underWay = List.of();
        repetitions = 0;
    }

    boolean isIdle() {
        return changed.isEmpty() && again.isEmpty() && underWay.isEmpty();
    }

    /** When to call {@link #next} again although nothing happens; only while a batch is under way. */
    long resendAt(long patience) {
        return sentAt + (patience << Math.min(repetitions, DOUBLINGS_MAX));
    }

    boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /**
     * The keys to send now, if any.
     *
     * @param number of the batch, if there are some: greater than all that the sender has sent in this life, to any
     *               peer. An acknowledgement does not say of which session it is, and may be late
     */
    Optional<List<K>> next(long number, long now, long patience, ToIntFunction<K> size) {
        if (isUnderWay()) {
            if (now - resendAt(patience) < 0) {
                return Optional.empty();
            }
            repetitions++;
            // Lost, or late: what was under way goes first, then what changed meanwhile.
            for (int i = underWay.size() - 1; i >= 0; i--) {
                again.addFirst(underWay.get(i));
            }
        }
        if (changed.isEmpty() && again.isEmpty()) {
            return Optional.empty();
        }
        underWay = take(size);
        batch = number;
        sentAt = now;
        return Optional.of(underWay);
    }

    void acknowledged(long number) {
        if (number == batch) {
            underWay = List.of();
            repetitions = 0;
        }
    }

    private List<K> take(ToIntFunction<K> size) {
        List<K> taken = new ArrayList<>();
        int bytes = 0;
        while (bytes < BATCH_BYTES_MAX && !again.isEmpty()) {
            K key = again.remove();
            // Its present state is sent now.
            changed.remove(key);
            taken.add(key);
            bytes += size.applyAsInt(key);
        }
        var keys = changed.keySet().iterator();
        while (bytes < BATCH_BYTES_MAX && keys.hasNext()) {
            K key = keys.next();
            keys.remove();
            taken.add(key);
            bytes += size.applyAsInt(key);
        }
        if (changed.isEmpty()) {
            // A map keeps the room that it once needed, so it is replaced.
            changed = new LinkedHashMap<>();
        }
        return taken;
    }
}
