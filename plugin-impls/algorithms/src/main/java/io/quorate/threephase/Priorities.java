package io.quorate.threephase;

import io.quorate.spi.Check;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A priority list, ListPRI: the priority of each process; one that is missing has none (the document's empty sign).
 *
 * @param byProcess never changed
 */
record Priorities(SortedMap<Integer, Long> byProcess) {

    static final Priorities NONE = new Priorities(Collections.emptySortedMap());

    Priorities {
        byProcess = Collections.unmodifiableSortedMap(new TreeMap<>(byProcess));
    }

    /** The priorities of the processes 0, 1, 2 and so on. */
    static Priorities of(List<Long> inOrder) {
        SortedMap<Integer, Long> priorities = new TreeMap<>();
        inOrder.forEach(priority -> priorities.put(priorities.size(), priority));
        return new Priorities(priorities);
    }

    OptionalLong find(int process) {
        Long priority = byProcess.get(process);
        return priority == null ? OptionalLong.empty() : OptionalLong.of(priority);
    }

    Priorities with(int process, long priority) {
        SortedMap<Integer, Long> changed = new TreeMap<>(byProcess);
        changed.put(process, priority);
        return new Priorities(changed);
    }

    /** This list without the priorities of all other processes. */
    Priorities retain(Set<Integer> processes) {
        SortedMap<Integer, Long> retained = new TreeMap<>(byProcess);
        retained.keySet().retainAll(processes);
        return new Priorities(retained);
    }

    /** Max: the process with the highest priority; empty if nobody has one. */
    OptionalInt best() {
        int best = -1;
        long highest = Long.MIN_VALUE;
        for (Map.Entry<Integer, Long> entry : byProcess.entrySet()) {
            // G17: ties go to the higher number, which comes later.
            if (entry.getValue() >= highest) {
                best = entry.getKey();
                highest = entry.getValue();
            }
        }
        return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** Whether it names no process from {@code processes} up. */
    boolean fits(int processes) {
        return byProcess.isEmpty() || byProcess.lastKey() < processes;
    }

    void writeTo(WireWriter out) {
        out.writeUnsigned(byProcess.size());
        byProcess.forEach((process, priority) -> {
            out.writeUnsigned(process);
            out.writeLong(priority);
        });
    }

    /** Reads what {@link #writeTo} wrote: numbers that ascend, so that there is one form of each list. */
    static Priorities read(WireReader in) throws MalformedInputException {
        SortedMap<Integer, Long> priorities = new TreeMap<>();
        int previous = -1;
        for (int left = in.readUnsigned(ThreePhaseMessage.PROCESS_MAX); left > 0; left--) {
            int process = in.readUnsigned(ThreePhaseMessage.PROCESS_MAX);
            if (process <= previous) {
                throw new MalformedInputException("priority of " + process + " behind that of " + previous);
            }
            priorities.put(process, in.readLong());
            previous = process;
        }
        return new Priorities(priorities);
    }

    /**
     * Which list is newer (lts).
     *
     * @param epoch     H: the round of the decision that the list came with, -1 before the first one; F: always 0
     * @param timestamp counted by the leader that maintains the list
     */
    record Version(long epoch, long timestamp) implements Comparable<Version> {
        Version {
            Check.argument(epoch >= -1 && timestamp >= 0, "version %d of epoch %d", timestamp, epoch);
        }

        @Override
        public int compareTo(Version other) {
            int byEpoch = Long.compare(epoch, other.epoch);
            return byEpoch != 0 ? byEpoch : Long.compare(timestamp, other.timestamp);
        }

        Version next() {
            return new Version(epoch, timestamp + 1);
        }

        void writeTo(WireWriter out) {
            out.writeUnsigned(epoch + 1);
            out.writeUnsigned(timestamp);
        }

        static Version read(WireReader in) throws MalformedInputException {
            return new Version(ThreePhaseMessage.readEpoch(in), in.readUnsigned());
        }
    }

    /** A list and its version: they are only ever replaced together, but for line 62 as printed (G14). */
    record Held(Priorities list, Version version) {
        static final Held NOTHING = new Held(NONE, new Version(0, 0));

        void writeTo(WireWriter out) {
            list.writeTo(out);
            version.writeTo(out);
        }

        static Held read(WireReader in) throws MalformedInputException {
            return new Held(Priorities.read(in), Version.read(in));
        }
    }
}
