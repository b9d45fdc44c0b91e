package io.quorate.threephase;

import io.quorate.spi.WireWriter;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Phase 2: the round a process is in, or was in last.
 *
 * @param number    r; -1 before the first
 * @param trust     whom the judge trusts; never changed
 * @param acks      at the judge: when the last ACK of each process came; never changed
 * @param enteredAt t0
 */
record Round(long number, SortedSet<Integer> trust, SortedMap<Integer, Long> acks, long enteredAt) {

    Round {
        trust = Collections.unmodifiableSortedSet(new TreeSet<>(trust));
        acks = Collections.unmodifiableSortedMap(new TreeMap<>(acks));
    }

    /** No round was entered yet; {@code number} is -1, or the last one of a former life. */
    static Round before(long number) {
        return new Round(number, Collections.emptySortedSet(), Collections.emptySortedMap(), 0);
    }

    /** L18-20: everybody is trusted at first. */
    static Round entered(long number, int processes, long now) {
        SortedSet<Integer> all = new TreeSet<>();
        for (int process = 0; process < processes; process++) {
            all.add(process);
        }
        return new Round(number, all, Collections.emptySortedMap(), now);
    }

    Round withTrust(SortedSet<Integer> trusted) { // L35
        return new Round(number, trusted, acks, enteredAt);
    }

    Round withAck(int from, long now) {
        SortedMap<Integer, Long> more = new TreeMap<>(acks);
        more.put(from, now);
        return new Round(number, trust, more, enteredAt);
    }

    /** L29: without those whose last ACK came before {@code since}. The judge sends itself none and stays (G9). */
    Round pruned(int judge, long since) {
        SortedSet<Integer> left = new TreeSet<>(trust);
        left.removeIf(process -> process != judge && !hasAckSince(process, since));
        return withTrust(left);
    }

    private boolean hasAckSince(int process, long since) {
        return acks.containsKey(process) && acks.get(process) >= since;
    }

    void writeTo(WireWriter out) {
        out.writeUnsigned(number + 1);
        ThreePhaseMessage.writeProcesses(out, trust);
        ThreePhaseState.writeNumbers(out, acks);
        out.writeLong(enteredAt);
    }
}
